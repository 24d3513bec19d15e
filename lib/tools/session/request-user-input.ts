import type { PersonAnswer, PersonQuestion } from '@/lib/contracts/question';
import { defineTool } from '@/lib/contracts/tool-spec';
import { z } from '@/lib/contracts/zod';
import { oneLine } from '@/lib/shared/text-lines';

const input = z.object({
  questions: z
    .array(
      z.object({
        question: z.string().trim().min(1).max(500).describe('One question in plain words, with all that is needed to answer it.'),
        options: z
          .array(
            z.object({
              label: z.string().trim().min(1).max(100).describe('The answer in a few words.'),
              description: z.string().max(500).optional().describe('What choosing it would mean.'),
            }),
          )
          .min(2)
          .max(6)
          .describe('Answers to choose from, the recommended one first. The person can always write their own.'),
        allow_several: z.boolean().default(false).describe('More than one option may be chosen.'),
      }),
    )
    .min(1)
    .max(3)
    .describe('What to ask, all in one form.'),
});

export const requestUserInput = defineTool({
  name: 'request_user_input',
  description:
    'Asks the person one to three questions with options, and waits for their answer. Use it when a choice is theirs and matters, and neither the request nor the files decide it; otherwise decide yourself and say so. Ask everything in one call. Returns what they chose or wrote to each question, or that they did not want to say.',
  input,
  capabilities: ['read-only'],
  isInteractive: true,
  // It waits for the person, and that has no limit.
  timeoutMs: Number.POSITIVE_INFINITY,
  validateInput({ questions }) {
    const double = questions.find(({ options }) => new Set(options.map(({ label }) => label)).size < options.length);
    return double === undefined
      ? undefined
      : { kind: 'invalid-input', message: `Two options of "${double.question}" have the same label. Send the question with different ones.` };
  },
  summarize: ({ questions }) => oneLine(questions.map(({ question }) => question).join(' · ')),
  async execute({ questions }, context) {
    const asked = questions.map(({ question, options, allow_several }): PersonQuestion => ({ question, options: options.map(plain), several: allow_several }));
    const outcome = await context.askPerson(asked);
    if (outcome.kind === 'cancelled') return { ok: false, error: 'cancelled', content: 'The question was taken back before the person answered.' };
    if (outcome.kind === 'dismissed')
      return {
        ok: true,
        content: 'The person does not want to answer. Decide yourself, say what you decided and why, and do not ask the same again.',
        data: { answered: false },
      };
    const lines = asked.map(({ question }, index) => `${question}\n  ${said(outcome.answers[index])}`);
    return { ok: true, content: `The person answered:\n${lines.join('\n')}`, data: { answered: true } };
  },
});

function plain({ label, description }: { label: string; description?: string | undefined }): { label: string; description?: string } {
  return description === undefined || description === '' ? { label } : { label, description };
}

function said(answer: PersonAnswer | undefined): string {
  const choices = answer?.choices.map((choice) => `"${choice}"`).join(', ') ?? '';
  const words = answer?.words === undefined ? '' : `in their words: ${answer.words}`;
  return [choices, words].filter((text) => text !== '').join('; ');
}
