import { defineTool } from '@/lib/contracts/tool-spec';
import { z } from '@/lib/contracts/zod';
import { CHECKLIST_NOTE, type ChecklistItem, checklistNote, checklistText } from '@/lib/shared/checklist';
import { countOf } from '@/lib/shared/text-lines';

const input = z.object({
  todos: z
    .array(
      z.object({
        text: z.string().trim().min(1).max(500).describe('What has to be done, in a few words.'),
        status: z.enum(['open', 'doing', 'done', 'dropped']).default('open').describe('How far it is.'),
      }),
    )
    .max(100)
    .describe('The whole list in order; it replaces the one kept before. An empty list clears it.'),
});

export const checklistWrite = defineTool({
  name: 'checklist_write',
  description:
    'Keeps your own list of things to do for this session, and replaces the one kept before. Use it for work with many small parts that must not be forgotten: files to convert, findings to fix. It outlives the turn and a reload. For the few steps that the person follows use update_plan. Returns the list with the id of each item.',
  input,
  capabilities: ['read-only'],
  pathsFor: () => ({}),
  summarize: ({ todos }) => countOf(todos.length, 'item'),
  async execute({ todos }, context) {
    const items = todos.map(({ text, status }, index): ChecklistItem => ({ id: String(index + 1), text, status }));
    context.state.set(CHECKLIST_NOTE, checklistNote(items));
    return { ok: true, content: checklistText(items), data: { items: items.length } };
  },
});
