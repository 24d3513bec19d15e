import type { CallId } from '@/lib/contracts/ids';
import type { CallFacts, ChangedDecision, Policy, PolicyDifference, PolicyInForce, Standing } from '@/lib/contracts/policy';
import { decide } from './decide';
import { ruleWords } from './rule-fit';
import { starterPolicy } from './starter-policy';

/** A call that was decided before. */
export interface DecidedCall {
  readonly callId: CallId;
  readonly summary: string;
  readonly facts: CallFacts;
}

const SHOWN = 50;

/**
 * What another policy would change: its lines, and the calls of the session that it would decide otherwise.
 *
 * In     `standing` with the policy that is in force; `next`: undefined = the starter policy. Grants, denials and mode stay as they are.
 */
export function comparePolicies(calls: readonly DecidedCall[], standing: Standing, next: PolicyInForce | undefined): PolicyDifference {
  const { policy: _, ...others } = standing;
  const then: Standing = next === undefined ? others : { ...others, policy: next };
  const changed: ChangedDecision[] = [];
  for (let at = calls.length - 1; at >= 0 && changed.length < SHOWN; at--) {
    const { callId, summary, facts } = calls[at] as DecidedCall;
    const before = decide(facts, standing).decision;
    const verdict = decide(facts, then);
    if (verdict.decision === before) continue;
    const evidence = verdict.trace.find((entry) => entry.decided)?.evidence ?? '';
    changed.push({ callId, tool: facts.tool, summary, before, after: verdict.decision, evidence });
  }
  return {
    ...(next !== undefined && 'broken' in next ? { problem: next.broken } : {}),
    compared: calls.length,
    changed,
    lines: changedLines(standing.policy ?? starterPolicy, next ?? starterPolicy),
  };
}

/** Every line of the one policy that the other has not, with a plus or a minus in front. */
function changedLines(before: PolicyInForce, after: PolicyInForce): readonly string[] {
  const old = linesOf(before);
  const fresh = linesOf(after);
  return [...[...old].filter((line) => !fresh.has(line)).map((line) => `− ${line}`), ...[...fresh].filter((line) => !old.has(line)).map((line) => `+ ${line}`)];
}

function linesOf(policy: PolicyInForce): ReadonlySet<string> {
  if ('broken' in policy) return new Set(['every call is asked for: the file does not load']);
  const { shell, hosts, rules } = policy;
  const listed = (name: string, lists: Pick<Policy['shell'], 'allow' | 'ask' | 'deny'>) =>
    (['deny', 'ask', 'allow'] as const).flatMap((effect) => lists[effect].map((entry) => `${effect} ${name} ${entry}`));
  return new Set([
    `${policy.default} what no rule fits`,
    ...listed('command', shell),
    `${hosts.default} hosts that no rule names`,
    ...listed('host', hosts),
    ...rules.map(ruleWords),
  ]);
}
