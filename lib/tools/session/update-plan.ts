import type { PlanStep } from '@/lib/contracts/tool-context';
import { defineTool } from '@/lib/contracts/tool-spec';
import { z } from '@/lib/contracts/zod';
import { countOf, oneLine } from '@/lib/shared/text-lines';

const STATUS = { pending: 'pending', in_progress: 'in-progress', completed: 'done' } as const satisfies Record<string, PlanStep['status']>;

const input = z.object({
  plan: z
    .array(
      z.object({
        step: z.string().trim().min(1).max(500).describe('What is done in this step, in a few words.'),
        status: z.enum(['pending', 'in_progress', 'completed']).describe('How far it is; at most one step is in_progress.'),
      }),
    )
    .max(50)
    .describe('The whole plan in order, finished steps included; it replaces the one shown before.'),
  explanation: z.string().max(2000).optional().describe('Why the plan changed, for the person who reads along.'),
});

export const updatePlan = defineTool({
  name: 'update_plan',
  description:
    'Shows your plan to the person, step by step, and replaces the one shown before. Use it for work of three or more steps: once at the start, then whenever a step begins or ends or the plan changes. Not for single, simple requests. It changes no file; it comes back with where the plan stands.',
  input,
  capabilities: ['read-only'],
  validateInput({ plan }) {
    const active = plan.filter((item) => item.status === 'in_progress').length;
    return active > 1
      ? { kind: 'invalid-input', message: `${active} steps are in_progress; at most one may be. Send the plan again with the others pending or completed.` }
      : undefined;
  },
  pathsFor: () => ({}),
  summarize: ({ plan }) => oneLine(standing(plan.map(({ step, status }) => ({ step, status: STATUS[status] })))),
  async execute({ plan, explanation }, context) {
    const steps = plan.map(({ step, status }): PlanStep => ({ step, status: STATUS[status] }));
    context.showPlan(steps, explanation);
    return {
      ok: true,
      content: `The person sees the plan: ${standing(steps)}.`,
      data: { steps: steps.length, done: steps.filter((step) => step.status === 'done').length },
    };
  },
});

function standing(steps: readonly PlanStep[]): string {
  const done = steps.filter((step) => step.status === 'done').length;
  if (steps.length === 0) return 'no steps';
  if (done === steps.length) return `all ${countOf(steps.length, 'step')} done`;
  const next = steps.find((step) => step.status === 'in-progress');
  return `${done} of ${countOf(steps.length, 'step')} done${next === undefined ? '' : `, now: ${next.step}`}`;
}
