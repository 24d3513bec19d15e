/**
 * Makes ids that are unique over tabs: a readable kind, a part of this tab's own, a running number.
 *
 * In     `tab`: letters and digits that no other tab has.
 * Out    `kind-tab-n`, of `^[a-zA-Z0-9_-]+$`; shape of `contracts/ids` NewId.
 */
export function createNewId(tab: string): <Id extends string = string>(kind: string) => Id {
  let n = 0;
  return <Id extends string>(kind: string) => `${kind}-${tab}-${(n++).toString(36)}` as Id;
}

/** The part of ids that tells tabs apart: 60 random bits. */
export function newTab(): string {
  return [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => (byte & 31).toString(32)).join('');
}
