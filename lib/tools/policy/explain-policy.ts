import type { Explanation } from '@/lib/contracts/policy';
import { defineTool } from '@/lib/contracts/tool-spec';
import { z } from '@/lib/contracts/zod';
import type { JsonObject } from '@/lib/shared/json';
import { clipLine, oneLine } from '@/lib/shared/text-lines';

const SHOWN_PARTS = 30;

const input = z.object({
  tool: z.string().min(1).max(200).describe('Name of the tool that you would call, for example "exec_shell".'),
  input: z.record(z.string(), z.json()).default({}).describe('The arguments that you would call it with, for example {"command": "npm test"}.'),
});

export const explainPolicy = defineTool({
  name: 'explain_policy',
  description:
    'Says what would happen to a call before you make it: whether it would run, be asked for, or be denied, and which rule says so. Nothing is started and nobody is asked. Use it when a call was denied and you look for another way, or to choose between two ways of doing something.',
  input,
  capabilities: ['read-only'],
  supportsParallel: true,
  deferLoading: true,
  summarize: ({ tool, input: asked }) => oneLine(`${tool} ${JSON.stringify(asked)}`),
  async execute({ tool, input: asked }, context) {
    const said = context.explain(tool, asked as JsonObject);
    return { ok: true, content: wordsFor(said), data: { decision: said.decision, level: said.level, mode: said.mode, policy: said.policy } };
  },
});

const outcomes: Readonly<Record<Explanation['decision'], string>> = {
  allow: 'It would run without asking.',
  ask: 'The person would be asked first.',
  deny: 'It would be denied. Only this call, not the tool.',
  refuse: 'It would be refused before anybody decides about it.',
};

const policies: Readonly<Record<Explanation['policy'], string>> = {
  starter: 'the starter policy',
  file: 'the policy of gatehouse.policy.json',
  broken: 'gatehouse.policy.json, which does not load',
};

function wordsFor({ tool, decision, mode, policy, trace, parts = [] }: Explanation): string {
  const deciding = trace.find((entry) => entry.decided);
  const others = trace.filter((entry) => entry.decided !== true && entry.rule !== 'shell-part');
  const lines = [
    `${tool}: ${outcomes[decision]}`,
    ...(deciding === undefined ? [] : [`Rule: ${deciding.rule}. ${deciding.evidence}`]),
    ...(parts.length < 2 ? [] : parts.slice(0, SHOWN_PARTS).map((part) => `  ${part.verdict}: ${clipLine(oneLine(part.text), 200)}: ${part.evidence}`)),
    ...(parts.length > SHOWN_PARTS ? [`  and ${parts.length - SHOWN_PARTS} more parts`] : []),
    ...others.map((entry) => `Looked too: ${entry.rule}. ${entry.evidence}`),
    `Mode ${mode}, under ${policies[policy]}.`,
  ];
  return lines.join('\n');
}
