import type { Now, SpillRef } from '@/lib/contracts/ids';

/**
 * Makes ids for spills: time, the tab's own part, a serial number.
 *
 * In     `tab` a text that no other open tab has (random at start-up); `now` ms; `serial` where counting begins.
 * Out    ids of letters, digits, `_` and `-` only; different for every call, and for two tabs in one millisecond.
 */
export function createSpillIds(options: { readonly tab: string; readonly now: Now; readonly serial?: number }): () => SpillRef {
  const tab = options.tab.replace(/[^A-Za-z0-9]/g, '');
  if (tab === '') throw new Error('a tab needs a name with a letter or digit');
  let serial = options.serial ?? 0;
  return () => `out_${options.now().toString(36)}_${tab}_${(serial++).toString(36)}` as SpillRef;
}

/**
 * The id under which a spill is kept: every character outside `A-Z a-z 0-9 _ -` becomes `_`.
 *
 * Out    undefined when nothing nameable is left (no letter or digit).
 */
export function safeSpillId(id: string): SpillRef | undefined {
  return /[A-Za-z0-9]/.test(id) ? (id.replace(/[^A-Za-z0-9_-]/g, '_') as SpillRef) : undefined;
}
