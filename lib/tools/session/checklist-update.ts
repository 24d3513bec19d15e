import { defineTool } from '@/lib/contracts/tool-spec';
import { z } from '@/lib/contracts/zod';
import { CHECKLIST_NOTE, checklistNote, checklistText, readChecklist } from '@/lib/shared/checklist';
import { CodedError } from '@/lib/shared/coded-error';

const input = z.object({
  id: z.string().min(1).describe('The item, by the id that checklist_write or checklist_list gave.'),
  status: z.enum(['open', 'doing', 'done', 'dropped']).describe('How far the item is now.'),
});

export const checklistUpdate = defineTool({
  name: 'checklist_update',
  description:
    'Sets how far one item of your checklist is. Use it as soon as an item begins or ends, so that the list is true at every moment; to add or reword items use checklist_write. Returns the whole list as it stands then.',
  input,
  capabilities: ['read-only'],
  pathsFor: () => ({}),
  summarize: ({ id, status }) => `${id}: ${status}`,
  async execute({ id, status }, context) {
    const items = readChecklist(context.state.get(CHECKLIST_NOTE));
    if (items.length === 0) throw new CodedError('execution-failed', 'There is no checklist in this session yet. Write one with checklist_write first.');
    if (!items.some((item) => item.id === id)) throw new CodedError('invalid-input', `No item has the id ${JSON.stringify(id)}. ${checklistText(items)}`);
    const changed = items.map((item) => (item.id === id ? { ...item, status } : item));
    context.state.set(CHECKLIST_NOTE, checklistNote(changed));
    return { ok: true, content: checklistText(changed), data: { id, status } };
  },
});
