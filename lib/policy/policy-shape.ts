import { z } from '@/lib/contracts/zod';

const decision = z.enum(['allow', 'ask', 'deny']);
const byDefault = decision.default('ask');
const lines = (words: string) => z.array(z.string().regex(/\S/, 'An entry is not empty.')).default([]).describe(words);

const capability = z.enum(['read-only', 'writes-files', 'executes-code', 'network', 'sandboxable', 'requires-approval']);
const definition = z.string().regex(/^sha256:[0-9a-f]{64}$/, 'A definition is sha256: and 64 hexadecimal digits.');

const conditions = {
  tool: z.string().min(1).optional().describe('Name of the tool; * stands for any characters.'),
  path: z
    .string()
    .min(1)
    .optional()
    .describe(
      'A path that the call touches, relative to the workspace; ~/ is the home directory. * within a name, ** for any folders. Deny and ask rules bind commands too.',
    ),
  args: z.record(z.string(), z.json()).optional().describe('Arguments that the call has to have, each exactly.'),
  capability: capability.optional().describe('What the tool declares that it can touch.'),
  origin: z.literal('outside').optional().describe('The arguments carry bytes that came from outside.'),
  definition: definition.optional().describe('The definition of an external tool that this rule is bound to.'),
};

const example = z.strictObject(conditions).describe('A call that the rule is tried with when the file loads; what it does not say is taken as met.');

const rule = z.strictObject({
  effect: decision.describe('Deny beats ask, ask beats allow, wherever the rules stand.'),
  ...conditions,
  reason: z.string().optional().describe('Why; shown where the rule decides.'),
  match: z.array(example).optional().describe('Calls that the rule has to fit.'),
  notMatch: z.array(example).optional().describe('Calls that the rule must not fit.'),
});

/** The shape of `gatehouse.policy.json`; the published schema is made from it. */
export const policyShape = z
  .strictObject({
    $schema: z.string().optional().describe('Where editors find this schema.'),
    version: z.literal(1),
    default: byDefault.describe('What holds where no rule fits. ask: level and mode decide. deny: nothing passes, reading too, unless a rule allows it.'),
    shell: z
      .strictObject({
        allow: lines('Commands that pass. Words separated by blanks; * inside a word stands for any characters, as the last word for any further words.'),
        ask: lines('Commands that are asked for in every mode.'),
        deny: lines('Commands that are denied.'),
      })
      .prefault({})
      .describe('Rules for commands, judged part by part.'),
    hosts: z
      .strictObject({
        allow: lines('Hosts that may be reached; .example.com stands for its sub-domains.'),
        ask: lines('Hosts that are asked for.'),
        deny: lines('Hosts that are denied.'),
        default: byDefault.describe('What holds for every other host.'),
      })
      .prefault({})
      .describe('Hosts that network tools may reach. Private and local addresses stay closed.'),
    rules: z.array(rule).default([]).describe('Rules for any tool.'),
  })
  .describe('Gatehouse policy: which calls of the agent pass, are asked for, or are denied.');

/** The published JSON Schema of the policy file. */
export function policySchema(): Readonly<Record<string, unknown>> {
  const { $schema: _, ...schema } = z.toJSONSchema(policyShape, { io: 'input' });
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', title: 'gatehouse.policy.json', ...schema };
}
