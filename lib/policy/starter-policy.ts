import type { Policy } from '@/lib/contracts/policy';

/** A policy that has no rules: level and mode decide. */
export const policyWithoutRules: Policy = {
  version: 1,
  default: 'ask',
  shell: { allow: [], ask: [], deny: [] },
  hosts: { allow: [], ask: [], deny: [], default: 'ask' },
  rules: [],
};

/**
 * The policy of a workspace that has no policy file: plain commands that only read pass, everything else asks.
 *
 * Source governance 9.
 */
export const starterPolicy: Policy = {
  ...policyWithoutRules,
  shell: {
    allow: [
      ...['ls', 'cat', 'head', 'tail', 'wc', 'grep', 'rg', 'find', 'pwd'].map((program) => `${program} *`),
      ...['status', 'diff', 'log', 'show'].map((command) => `git ${command} *`),
    ],
    ask: [],
    deny: [],
  },
};
