import type { ShellPolicy } from '@/lib/contracts/policy';

/**
 * The policy of a workspace that has no policy file: plain commands that only read pass, everything else asks.
 *
 * Source governance 9.
 */
export const starterPolicy: ShellPolicy = {
  allow: [
    ...['ls', 'cat', 'head', 'tail', 'wc', 'grep', 'rg', 'find', 'pwd'].map((program) => `${program} *`),
    ...['status', 'diff', 'log', 'show'].map((command) => `git ${command} *`),
  ],
  ask: [],
  deny: [],
  default: 'ask',
};
