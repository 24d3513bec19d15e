import { defineTool } from '@/lib/contracts/tool-spec';
import { z } from '@/lib/contracts/zod';
import { CHECKLIST_NOTE, checklistText, readChecklist } from '@/lib/shared/checklist';

export const checklistList = defineTool({
  name: 'checklist_list',
  description:
    'Shows your checklist of this session. Use it to pick up work after a pause, a reload or a long detour. Returns every item with its id and how far it is.',
  input: z.object({}),
  capabilities: ['read-only'],
  supportsParallel: true,
  deferLoading: true,
  // The list changes under it, so only an equal answer makes it a loop.
  isPolling: true,
  summarize: () => '',
  async execute(_, context) {
    const items = readChecklist(context.state.get(CHECKLIST_NOTE));
    return { ok: true, content: checklistText(items), data: { items: items.length } };
  },
});
