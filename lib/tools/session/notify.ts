import { defineTool } from '@/lib/contracts/tool-spec';
import { z } from '@/lib/contracts/zod';

const input = z.object({
  title: z.string().trim().min(1).max(100).describe('What it is about, in a few words.'),
  body: z.string().max(500).default('').describe('One or two sentences more, where they are needed.'),
});

export const notify = defineTool({
  name: 'notify',
  description:
    'Tells the person something although they may look elsewhere: it stands in the conversation, and comes as a notification of the browser where they allowed that. Use it sparingly, when long work has ended or waits for them; not for progress. Says that it was sent; whether it was seen is not known.',
  input,
  capabilities: ['read-only'],
  deferLoading: true,
  summarize: ({ title }) => title,
  async execute({ title, body }, context) {
    context.notify(title, body);
    return { ok: true, content: 'Sent. The conversation shows it; the browser shows it too where the person allowed notifications.' };
  },
});
