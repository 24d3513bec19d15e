import { defineTool } from '@/lib/contracts/tool-spec';
import type { UndoTarget } from '@/lib/contracts/undo';
import { z } from '@/lib/contracts/zod';
import { CodedError } from '@/lib/shared/coded-error';

const shownPaths = 20;

export const revertTurn = defineTool({
  name: 'revert_turn',
  description:
    'Brings the files back to how they were before a turn, or before one call: whatever calls changed there is undone, shell commands included; the conversation stays. Use it when your own changes went the wrong way. It refuses where a file changed since. Returns what was undone.',
  input: z.object({
    turns_back: z.int().min(0).max(1000).optional().describe('How far back: 0 = what this turn changed (default), 1 = this turn and the one before, and so on'),
    call_id: z.string().min(1).max(200).optional().describe('Undo this one call instead; list_snapshots names the ids'),
  }),
  capabilities: ['writes-files', 'requires-approval'],
  deferLoading: true,
  title: 'It undoes changes of earlier calls.',
  validateInput: ({ turns_back, call_id }) =>
    turns_back !== undefined && call_id !== undefined
      ? { kind: 'invalid-input', message: 'revert_turn takes turns_back or call_id, not both. Send the one that you mean.' }
      : undefined,
  // Whatever a call changed may come back, the policy and the history too: it is asked for each time.
  pathsFor: () => ({ places: ['.git', 'gatehouse.policy.json'] }),
  summarize: (input) => ('callId' in targetOf(input) ? `call ${input.call_id}` : turnWords(input.turns_back ?? 0)),
  previewChanges: (input, context) => context.undo.preview(targetOf(input)),
  async execute(input, context) {
    const target = targetOf(input);
    const changes = await context.undo.preview(target);
    const answer = await context.undo.revert(target);
    if (!answer.done) {
      const names = answer.differs.slice(0, shownPaths).map(({ path, why, by }) => `${path}: ${differenceWords(why, by)}`);
      const rest = answer.differs.length - names.length;
      throw new CodedError(
        'execution-failed',
        `Nothing was undone, since these files are not as the calls left them:\n${[...names, ...(rest > 0 ? [`… and ${rest} more`] : [])].join('\n')}\nUndo the later call first (call_id), or read the files and edit them.`,
      );
    }
    return {
      ok: true,
      content: `Undone: ${answer.count} ${answer.count === 1 ? 'path is' : 'paths are'} as before ${'callId' in target ? 'that call' : turnWords(target.turnsBack)}. Read a file again before you change it.`,
      data: { paths: answer.count },
      changes,
    };
  },
});

function targetOf(input: { readonly turns_back?: number | undefined; readonly call_id?: string | undefined }): UndoTarget {
  return input.call_id === undefined ? { turnsBack: input.turns_back ?? 0 } : { callId: input.call_id };
}

function turnWords(turnsBack: number): string {
  if (turnsBack === 0) return 'this turn';
  return turnsBack === 1 ? 'this turn and the one before' : `this turn and the ${turnsBack} before`;
}

function differenceWords(why: 'changed' | 'in-the-way', by: string | undefined): string {
  if (why === 'in-the-way') return 'something else stands in its place';
  return by === undefined ? 'the person changed it since' : `changed since by call ${by}`;
}
