import type { ApprovalLevel, Mode } from '@/lib/contracts/approval';
import type { Capability } from '@/lib/contracts/outcome';
import type { CallFacts, Decision, PartVerdict, Standing, TraceEntry, Verdict } from '@/lib/contracts/policy';
import { approvalLevelOf, isReadOnly, stricterLevel } from './approval-level';
import { commandEvidence, coveredByRules, partEntries } from './command-words';
import { exactFingerprint } from './fingerprint';
import { isGranted } from './grant-key';
import { judgeHost } from './host-verdict';
import { judgeCall, type RuleVerdict } from './judge-call';
import { nearestRule } from './nearest-rule';
import { isProtectedPath } from './protected-paths';
import { ruleWords } from './rule-fit';
import { policyWithoutRules, starterPolicy } from './starter-policy';

/**
 * Decides one call: may it run, must a person be asked, or is it denied.
 *
 * In     `facts` of the call; `standing`: mode, policy and what was remembered.
 * Out    the verdict with every rule that looked, in order; exactly one entry has `decided`. A shell command has its parts too.
 * Fails  never; pure, so the page, a headless run and a replay give the same answer.
 * Order  denial, plan mode, what the policy denies, a policy that does not load, grant, what the policy asks for, protected path, allow rules, outside
 *        bytes, level, command rules, mode.
 */
export function decide(facts: CallFacts, standing: Standing): Verdict {
  const { mode } = standing;
  const trace: TraceEntry[] = [];
  const readOnly = isReadOnly(facts.capabilities);
  const inForce = standing.policy ?? starterPolicy;
  const broken = 'broken' in inForce ? inForce.broken : undefined;
  const policy = 'broken' in inForce ? policyWithoutRules : inForce;
  const rules = judgeCall(facts, policy, standing);
  const { command } = rules;
  const parts: { parts?: readonly PartVerdict[] } = command === undefined ? {} : { parts: command.parts.map(({ part: _, byRule: __, ...said }) => said) };
  const note = (rule: string, evidence: string, verdict: TraceEntry['verdict'] = 'none') => void trace.push({ rule, evidence, verdict });
  const done = (decision: Decision, level: ApprovalLevel, rule: string, evidence: string): Verdict => {
    trace.push({ rule, evidence, verdict: decision, decided: true });
    return { decision, level, trace, ...parts };
  };

  if (standing.denials.size > 0 && standing.denials.has(exactFingerprint(facts.tool, facts.input)))
    return done('deny', 'required', 'denial', 'You denied exactly this call in this session.');
  if (mode === 'plan' && !readOnly) return done('deny', 'required', 'mode', `In plan mode nothing may change, and ${facts.tool} is not read-only.`);

  let level = facts.inputLevel;
  note('capability-level', levelEvidence(facts));
  const raised = facts.repairs.length > 0 && (!readOnly || facts.capabilities.includes('network'));
  if (raised) {
    level = stricterLevel(level, 'required');
    note('repaired-call', `It was repaired (${facts.repairs.map((r) => r.rung).join(', ')}) and can do more than read.`, 'ask');
  }
  if (broken !== undefined)
    return done(
      'ask',
      'required',
      'policy-broken',
      `The policy file does not load, so every call is asked for. Line ${broken.line}, column ${broken.column}: ${broken.message}`,
    );

  const host = judgeHost(facts, policy.hosts);
  trace.push(...partEntries(command));
  if (rules.denied !== undefined) return done('deny', 'required', 'policy-rule', `The rule "${ruleWords(rules.denied)}" fits it.`);
  if (command?.decision === 'deny') return done('deny', 'required', 'shell-policy', commandEvidence(command, 'deny'));
  if (host?.decision === 'deny') return done('deny', 'required', 'host', host.evidence);
  const covered = !raised && (command === undefined ? rules.allowed !== undefined : coveredByRules(command, rules.allowed !== undefined));
  if (policy.default === 'deny' && command === undefined && rules.allowed === undefined && rules.asked === undefined)
    return done('deny', 'required', 'policy-default', 'No rule of the policy fits it, and the policy denies what no rule fits.');

  if (isGranted(facts.tool, facts.input, standing.grants, command)) return done('allow', level, 'grant', 'You allowed this call before.');
  // What a rule asks for is asked for whatever the level; what the mode asks for keeps its own.
  const asks: Say = (rule, evidence, at = 'required') => {
    trace.push(...nearestRule(facts, policy, standing, command));
    return done('ask', stricterLevel(level, at), rule, evidence);
  };
  if (rules.asked !== undefined) return asks('policy-rule', `The rule "${ruleWords(rules.asked.rule)}" ${rules.asked.evidence}.`);
  if (host?.decision === 'ask' && rules.allowed === undefined) return asks('host', host.evidence);
  const guarded = facts.writes.find(isProtectedPath);
  if (guarded !== undefined) return asks('protected-path', `It writes ${guarded}, which always needs your word.`);
  return unasked(
    { facts, standing, level, raised, covered, rules, openHost: host?.decision === 'allow' && host.byRule, openDefault: policy.default === 'allow' },
    done,
    asks,
  );
}

interface Undecided {
  readonly facts: CallFacts;
  readonly standing: Standing;
  readonly level: ApprovalLevel;
  readonly raised: boolean;
  /** An allow rule covers the call. */
  readonly covered: boolean;
  readonly rules: RuleVerdict;
  readonly openHost: boolean;
  readonly openDefault: boolean;
}

type Say = (rule: string, evidence: string, at?: ApprovalLevel) => Verdict;

/** What is left once neither the policy nor a protected path asks: allow rules, outside bytes, level, mode. */
function unasked(
  { facts, standing: { mode }, level, raised, covered, rules: { allowed, command }, openHost, openDefault }: Undecided,
  done: (decision: Decision, level: ApprovalLevel, rule: string, evidence: string) => Verdict,
  asks: Say,
): Verdict {
  if (covered && allowed !== undefined) return done('allow', level, 'policy-rule', `The rule "${ruleWords(allowed)}" fits it.`);
  const outside = mode === 'auto' && canAct(facts.capabilities) ? facts.outside?.[0] : undefined;
  if (outside !== undefined && !covered && !(openHost && level === 'auto'))
    return asks('outside-bytes', `Its argument ${outside.field} carries bytes that came from ${outside.source}, and it can do more than read.`);
  if (level === 'auto') return done('allow', 'auto', 'mode', `${facts.tool} only reads, so it runs without asking.`);
  if (command !== undefined && !raised) {
    const evidence = commandEvidence(command, command.decision);
    return command.decision === 'ask' ? asks('shell-policy', evidence) : done(command.decision, level, 'shell-policy', evidence);
  }
  if (openDefault && !raised) return done('allow', level, 'policy-default', 'No rule of the policy fits it, and the policy allows what no rule fits.');
  if (passesMode(mode, level, raised)) return done('allow', level, 'mode', `Mode ${mode} lets it pass.`);
  if (raised) return asks('repaired-call', 'What was repaired and can do more than read is asked for in every mode. Look at what was changed.', level);
  return asks('mode', askEvidence(mode, level), level);
}

const acting: readonly Capability[] = ['executes-code', 'network', 'writes-files', 'requires-approval'];

function canAct(capabilities: readonly Capability[]): boolean {
  return capabilities.some((capability) => acting.includes(capability));
}

function passesMode(mode: Mode, level: ApprovalLevel, raised: boolean): boolean {
  if (mode === 'auto-edit') return level === 'suggest';
  return mode === 'auto' && !raised;
}

/** What a list of capabilities demands, and its words; a tool gives the same list for every call. */
const declarations = new WeakMap<readonly Capability[], { readonly own: ApprovalLevel; readonly words: string }>();

function declarationOf(capabilities: readonly Capability[]): { readonly own: ApprovalLevel; readonly words: string } {
  let known = declarations.get(capabilities);
  if (known === undefined) {
    known = { own: approvalLevelOf(capabilities), words: capabilities.join(', ') || 'nothing' };
    declarations.set(capabilities, known);
  }
  return known;
}

function levelEvidence(facts: CallFacts): string {
  const { own, words } = declarationOf(facts.capabilities);
  const said = `${facts.tool} declares ${words}`;
  return own === facts.inputLevel ? `${said}: level ${own}.` : `${said}: level ${own}; for this input ${facts.inputLevel}.`;
}

function askEvidence(mode: Mode, level: ApprovalLevel): string {
  return level === 'suggest' ? `Mode ${mode} asks before files change.` : `Mode ${mode} asks before anything at level required runs.`;
}
