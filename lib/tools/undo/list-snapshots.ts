import { defineTool } from '@/lib/contracts/tool-spec';
import type { ChangedPath, UndoLimit } from '@/lib/contracts/undo';
import { z } from '@/lib/contracts/zod';

/** Calls that the list shows; older ones are counted. */
const shownCalls = 50;
const shownPaths = 5;

export const listSnapshots = defineTool({
  name: 'list_snapshots',
  description:
    'Lists the calls of this session that changed files, newest first, with what revert_turn could bring back. Use it before revert_turn, to find the call or turn that is meant. Returns one line a call: its id, how many turns back, its state, and what it changed.',
  input: z.object({}),
  capabilities: ['read-only'],
  supportsParallel: true,
  deferLoading: true,
  // The list changes under it, so only an equal answer makes it a loop.
  isPolling: true,
  summarize: () => '',
  async execute(_, context) {
    const steps = [...context.undo.list()].reverse();
    const lines = steps.slice(0, shownCalls).map((step) => {
      const when = step.turnsBack === 0 ? 'this turn' : `turns_back ${step.turnsBack}`;
      const what = `${step.tool} ${step.summary}`.trim();
      return `${step.callId} (${when}, ${stateWords[step.state]}): ${what}\n  ${pathWords(step.paths, step.count)}${step.limits.map((limit) => `; ${limitWords[limit]}`).join('')}`;
    });
    if (lines.length === 0) return { ok: true, content: 'No call of this session has changed files yet.', data: { calls: 0 } };
    const more = steps.length - lines.length;
    return { ok: true, content: [...lines, ...(more > 0 ? [`… and ${more} older calls`] : [])].join('\n'), data: { calls: steps.length } };
  },
});

const stateWords = { done: 'can be undone', undone: 'undone', lost: 'cannot be undone any more' } as const;
const limitWords: Readonly<Record<UndoLimit, string>> = {
  commands: 'what its command changed is not known here',
  packages: 'not node_modules',
  outside: 'not what it did outside the workspace',
};

function pathWords(paths: readonly ChangedPath[], count: number): string {
  const shown = paths.slice(0, shownPaths).map(({ path, kind }) => `${kind} ${path}`);
  const rest = count - shown.length;
  return [...shown, ...(rest > 0 ? [`${rest} more`] : [])].join(', ');
}
