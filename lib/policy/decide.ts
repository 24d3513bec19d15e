import { approvalLevelOf, isReadOnly, stricterLevel } from './approval-level';
import { exactFingerprint } from './fingerprint';
import { grantKey } from './grant-key';
import { isProtectedPath } from './protected-paths';
import type { ApprovalLevel, Mode } from '@/lib/contracts/approval';
import type { CallFacts, Decision, Standing, TraceEntry, Verdict } from '@/lib/contracts/policy';

/**
 * Decides one call: may it run, must a person be asked, or is it denied.
 *
 * In     `facts` of the call; `standing`: mode and what was remembered.
 * Out    the verdict with every rule that looked, in order; exactly one entry has `decided`.
 * Fails  never; pure, so the page, a headless run and a replay give the same answer.
 * Order  denial, plan mode, level (input, repairs, protected paths), grant, level against mode.
 */
export function decide(facts: CallFacts, standing: Standing): Verdict {
  const trace: TraceEntry[] = [];
  const readOnly = isReadOnly(facts.capabilities);
  const done = (decision: Decision, level: ApprovalLevel, rule: string, evidence: string): Verdict => {
    trace.push({ rule, evidence, verdict: decision, decided: true });
    return { decision, level, trace };
  };

  if (standing.denials.size > 0 && standing.denials.has(exactFingerprint(facts.tool, facts.input)))
    return done('deny', 'required', 'denial', 'You denied exactly this call in this session.');
  if (standing.mode === 'plan' && !readOnly) return done('deny', 'required', 'mode', `In plan mode nothing may change, and ${facts.tool} is not read-only.`);

  let level = facts.inputLevel;
  trace.push({ rule: 'capability-level', evidence: levelEvidence(facts), verdict: 'none' });
  if (facts.repairs.length > 0 && (!readOnly || facts.capabilities.includes('network'))) {
    level = stricterLevel(level, 'required');
    trace.push({ rule: 'repaired-call', evidence: `It was repaired (${facts.repairs.map((r) => r.rung).join(', ')}) and can do more than read.`, verdict: 'ask' });
  }
  const guarded = facts.writes.find(isProtectedPath);
  if (guarded !== undefined) return done('ask', 'required', 'protected-path', `It writes ${guarded}, which always needs your word.`);

  if (level === 'auto') return done('allow', 'auto', 'mode', `${facts.tool} only reads, so it runs without asking.`);
  if (standing.grants.size > 0 && standing.grants.has(grantKey(facts.tool, facts.input))) return done('allow', level, 'grant', 'You allowed this call before.');
  if (passesMode(standing.mode, level, facts)) return done('allow', level, 'mode', `Mode ${standing.mode} lets it pass.`);
  return done('ask', level, 'mode', askEvidence(standing.mode, level));
}

function passesMode(mode: Mode, level: ApprovalLevel, facts: CallFacts): boolean {
  if (mode === 'auto-edit') return level === 'suggest';
  // Commands cannot be judged by their grammar yet, so whatever executes code asks even in auto mode.
  if (mode === 'auto') return !facts.capabilities.includes('executes-code') && facts.repairs.length === 0;
  return false;
}

function levelEvidence(facts: CallFacts): string {
  const own = approvalLevelOf(facts.capabilities);
  const said = `${facts.tool} declares ${facts.capabilities.join(', ') || 'nothing'}`;
  return own === facts.inputLevel ? `${said}: level ${own}.` : `${said}: level ${own}; for this input ${facts.inputLevel}.`;
}

function askEvidence(mode: Mode, level: ApprovalLevel): string {
  return level === 'suggest' ? `Mode ${mode} asks before files change.` : `Mode ${mode} asks before anything at level required runs.`;
}
