import type { CallFacts, Explanation, Standing } from '@/lib/contracts/policy';
import { decide } from './decide';

/** What would happen to a call: the same decision, nothing started and nobody asked. */
export function explain(facts: CallFacts, standing: Standing): Explanation {
  const { decision, level, trace, parts } = decide(facts, standing);
  const { policy } = standing;
  return {
    tool: facts.tool,
    decision,
    level,
    mode: standing.mode,
    policy: policy === undefined ? 'starter' : 'broken' in policy ? 'broken' : 'file',
    trace,
    ...(parts === undefined ? {} : { parts }),
  };
}
