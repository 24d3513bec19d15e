import type { ApprovalLevel, Mode } from '@/lib/contracts/approval';
import type { CallFacts, Decision, PartVerdict, Standing, TraceEntry, Verdict } from '@/lib/contracts/policy';
import { approvalLevelOf, isReadOnly, stricterLevel } from './approval-level';
import { exactFingerprint } from './fingerprint';
import { isGranted } from './grant-key';
import { isProtectedPath } from './protected-paths';
import { judgeCommand, type ShellVerdict } from './shell-verdict';
import { starterPolicy } from './starter-policy';

/**
 * Decides one call: may it run, must a person be asked, or is it denied.
 *
 * In     `facts` of the call; `standing`: mode, policy and what was remembered.
 * Out    the verdict with every rule that looked, in order; exactly one entry has `decided`. A shell command has its parts too.
 * Fails  never; pure, so the page, a headless run and a replay give the same answer.
 * Order  denial, plan mode, what the policy denies, grant, host, protected path, level (input, repairs), command rules, mode.
 */
export function decide(facts: CallFacts, standing: Standing): Verdict {
  const trace: TraceEntry[] = [];
  const readOnly = isReadOnly(facts.capabilities);
  const judged = judgedCommand(facts, standing);
  const parts: { parts?: readonly PartVerdict[] } = judged === undefined ? {} : { parts: judged.parts.map(({ part: _, ...said }) => said) };
  const done = (decision: Decision, level: ApprovalLevel, rule: string, evidence: string): Verdict => {
    trace.push({ rule, evidence, verdict: decision, decided: true });
    return { decision, level, trace, ...parts };
  };

  if (standing.denials.size > 0 && standing.denials.has(exactFingerprint(facts.tool, facts.input)))
    return done('deny', 'required', 'denial', 'You denied exactly this call in this session.');
  if (standing.mode === 'plan' && !readOnly) return done('deny', 'required', 'mode', `In plan mode nothing may change, and ${facts.tool} is not read-only.`);

  let level = facts.inputLevel;
  trace.push({ rule: 'capability-level', evidence: levelEvidence(facts), verdict: 'none' });
  const raised = facts.repairs.length > 0 && (!readOnly || facts.capabilities.includes('network'));
  if (raised) {
    level = stricterLevel(level, 'required');
    trace.push({
      rule: 'repaired-call',
      evidence: `It was repaired (${facts.repairs.map((r) => r.rung).join(', ')}) and can do more than read.`,
      verdict: 'ask',
    });
  }
  if (judged !== undefined) trace.push(...partEntries(judged));
  if (judged?.decision === 'deny') return done('deny', 'required', 'shell-policy', commandEvidence(judged, 'deny'));

  if (isGranted(facts.tool, facts.input, standing.grants, judged)) return done('allow', level, 'grant', 'You allowed this call before.');
  if (facts.tool === 'fetch_url') return done('ask', 'required', 'host', 'No rule allows this host, so it is asked for.');
  const guarded = facts.writes.find(isProtectedPath);
  if (guarded !== undefined) return done('ask', 'required', 'protected-path', `It writes ${guarded}, which always needs your word.`);

  if (level === 'auto') return done('allow', 'auto', 'mode', `${facts.tool} only reads, so it runs without asking.`);
  if (judged !== undefined && !raised) return done(judged.decision, level, 'shell-policy', commandEvidence(judged, judged.decision));
  if (passesMode(standing.mode, level, raised)) return done('allow', level, 'mode', `Mode ${standing.mode} lets it pass.`);
  return done('ask', level, 'mode', askEvidence(standing.mode, level));
}

function judgedCommand({ tool, input }: CallFacts, { mode, policy }: Standing): ShellVerdict | undefined {
  if (tool !== 'exec_shell' || typeof input.command !== 'string') return undefined;
  return judgeCommand(input.command, policy ?? starterPolicy, mode, typeof input.cwd === 'string' ? input.cwd : '.');
}

const PARTS_TRACED = 20;

/** One entry a part, so that the trace names the rule behind each; a single part is told by the deciding entry. */
function partEntries({ parts }: ShellVerdict): readonly TraceEntry[] {
  if (parts.length < 2) return [];
  const entries = parts
    .slice(0, PARTS_TRACED)
    .map(({ text, verdict, evidence }): TraceEntry => ({ rule: 'shell-part', evidence: `${quoted(text)}: ${evidence}`, verdict }));
  const rest = parts.length - entries.length;
  return rest === 0 ? entries : [...entries, { rule: 'shell-part', evidence: `And ${rest} more.`, verdict: 'none' }];
}

function commandEvidence({ parts }: ShellVerdict, decision: Decision): string {
  const deciding = parts.find((part) => part.verdict === decision);
  if (deciding === undefined) return 'It has no part that runs.';
  if (parts.length === 1) return deciding.evidence;
  const count = parts.filter((part) => part.verdict === decision).length;
  if (decision === 'allow') return `Each of its ${parts.length} parts is allowed.`;
  return `${count} of its ${parts.length} parts ${count === 1 ? 'is' : 'are'} ${decision === 'deny' ? 'denied' : 'to be asked for'}, first ${quoted(deciding.text)}: ${deciding.evidence}`;
}

const QUOTED_LENGTH = 120;

function quoted(text: string): string {
  return `"${text.length > QUOTED_LENGTH ? `${text.slice(0, QUOTED_LENGTH)}…` : text}"`;
}

function passesMode(mode: Mode, level: ApprovalLevel, raised: boolean): boolean {
  if (mode === 'auto-edit') return level === 'suggest';
  return mode === 'auto' && !raised;
}

function levelEvidence(facts: CallFacts): string {
  const own = approvalLevelOf(facts.capabilities);
  const said = `${facts.tool} declares ${facts.capabilities.join(', ') || 'nothing'}`;
  return own === facts.inputLevel ? `${said}: level ${own}.` : `${said}: level ${own}; for this input ${facts.inputLevel}.`;
}

function askEvidence(mode: Mode, level: ApprovalLevel): string {
  return level === 'suggest' ? `Mode ${mode} asks before files change.` : `Mode ${mode} asks before anything at level required runs.`;
}
