/** A place in a text (UTF-16) and the UTF-8 bytes between it and the end it was counted from. */
export interface FittingText {
  readonly at: number;
  readonly bytes: number;
}

/** As many whole code points from the start of `text` as fit into `limitBytes` of UTF-8; `at` is where they end. */
export function fittingHead(text: string, limitBytes: number): FittingText {
  let bytes = 0;
  let at = 0;
  while (at < text.length) {
    const units = isPair(text, at) ? 2 : 1;
    const size = units === 2 ? 4 : unitBytes(text.charCodeAt(at));
    if (bytes + size > limitBytes) break;
    bytes += size;
    at += units;
  }
  return { at, bytes };
}

/** As `fittingHead`, from the end; `at` is where they begin. */
export function fittingTail(text: string, limitBytes: number): FittingText {
  let bytes = 0;
  let at = text.length;
  while (at > 0) {
    const units = at > 1 && isPair(text, at - 2) ? 2 : 1;
    const size = units === 2 ? 4 : unitBytes(text.charCodeAt(at - 1));
    if (bytes + size > limitBytes) break;
    bytes += size;
    at -= units;
  }
  return { at, bytes };
}

function unitBytes(unit: number): number {
  return unit < 0x80 ? 1 : unit < 0x800 ? 2 : 3;
}

function isPair(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00;
}

/** A lone surrogate becomes U+FFFD, as it would be encoded. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd');
}
