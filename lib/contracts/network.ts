/** What a person or a policy file says about hosts; entries as in `lib/net/host-entry.ts`. Deny wins. */
export interface HostPolicy {
  /** Any word but these means ask. */
  readonly default?: 'allow' | 'ask' | 'deny' | undefined;
  readonly allow?: readonly string[] | undefined;
  readonly ask?: readonly string[] | undefined;
  readonly deny?: readonly string[] | undefined;
}
