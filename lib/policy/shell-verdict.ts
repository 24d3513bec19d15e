import type { Mode } from '@/lib/contracts/approval';
import type { Decision, PartVerdict, ShellPolicy } from '@/lib/contracts/policy';
import type { ShellPart, ShellReading } from '@/lib/shell/part';
import { readCommand } from '@/lib/shell/parts';
import { type CommandPathRule, pathFinding } from './command-paths';
import { protectedWrite } from './protected-paths';
import { asksInAuto, neverAllowed, type PartSetting, standsAgainst } from './shell-facts';
import { coversAll, fitsAsRun, fitsAsWritten, readShellRule, type ShellRule } from './shell-rules';

export interface ShellVerdict {
  /** The strictest verdict of the parts; deny in plan mode. */
  readonly decision: Decision;
  /** Each part that has a say, in the order of the text, wrappers before what they run. */
  readonly parts: readonly JudgedPart[];
  readonly reading: ShellReading;
}

export interface JudgedPart extends PartVerdict {
  readonly part: ShellPart;
  /** A rule of the policy said it, and neither a default, the mode nor a rule of our own. */
  readonly byRule: boolean;
}

/** What else a command is judged by. */
export interface ShellSetting extends PartSetting {
  /** Folder that it runs in, relative to the workspace; absent = its root. */
  readonly cwd?: string;
  /** The policy's rules for paths. */
  readonly paths?: readonly CommandPathRule[];
}

/**
 * Judges a shell command by everything that it would run.
 *
 * Out    the whole verdict and, for each part, its verdict with the rule behind it and what the rule saw.
 * Fails  never; pure.
 * Source governance 9 and the cases of kind shell-policy.
 */
export function judgeCommand(command: string, policy: ShellPolicy, mode: Mode, setting: ShellSetting = {}): ShellVerdict {
  const { cwd = '.', paths = [] } = setting;
  const reading = readCommand(command);
  const rules = rulesOf(policy);
  const parts: JudgedPart[] = [];
  for (const part of reading.parts) {
    const said = judgePart(part, { rules, paths, reading, cwd, byDefault: policy.default, auto: mode === 'auto' });
    if (said === undefined) continue;
    const against = said.verdict === 'allow' ? standsAgainst(part, said.rule, setting) : undefined;
    const place = { text: part.text, from: part.from, to: part.to, part };
    parts.push(against === undefined ? { ...place, ...said, byRule: said.byRule === true } : { ...place, ...against, verdict: 'ask', byRule: false });
  }
  const decision = mode === 'plan' ? 'deny' : parts.map((one) => one.verdict).reduce(stricter, 'allow');
  return { decision, parts, reading };
}

interface Judging {
  readonly rules: Rules;
  readonly paths: readonly CommandPathRule[];
  readonly reading: ShellReading;
  readonly cwd: string;
  readonly byDefault: Decision;
  readonly auto: boolean;
}

type Said = Pick<PartVerdict, 'verdict' | 'rule' | 'evidence'> & { readonly byRule?: true };

/** A part's own verdict; undefined for a mere possibility that no rule minds. */
function judgePart(part: ShellPart, { rules, paths, reading, cwd, byDefault, auto }: Judging): Said | undefined {
  if (part.kind === 'opaque') return { verdict: 'ask', rule: 'opaque', evidence: `It cannot be judged: ${part.why ?? 'it is not plain'}.` };
  const fits = (rule: ShellRule) => coversAll(rule) || (part.kind === 'command' && fitsAsRun(rule, part.words));
  const denied = rules.deny.find(fits);
  if (denied !== undefined) return { verdict: 'deny', rule: denied.text, evidence: `The deny rule "${denied.text}" fits it.`, byRule: true };
  const path = pathFinding(part, paths, reading, cwd);
  if (path?.verdict === 'deny') return { verdict: 'deny', rule: path.rule, evidence: path.evidence, byRule: true };
  const asked = rules.ask.find(fits);
  if (asked !== undefined) return { verdict: 'ask', rule: asked.text, evidence: `The ask rule "${asked.text}" fits it.`, byRule: true };
  if (path?.weak === false) return { verdict: 'ask', rule: path.rule, evidence: path.evidence, byRule: true };

  const guarded = protectedWrite(part, reading, cwd);
  const never =
    guarded === undefined ? neverAllowed(part, reading) : { rule: 'protected-path', evidence: `It writes ${guarded}, which always needs your word.` };
  if (part.sure) {
    const allowed = never === undefined ? rules.allow.find((rule) => fitsAsWritten(rule, part.words)) : undefined;
    if (allowed !== undefined) return { verdict: 'allow', rule: allowed.text, evidence: `The allow rule "${allowed.text}" fits it.`, byRule: true };
    if (byDefault === 'deny') return { verdict: 'deny', rule: 'default', evidence: 'No rule fits it, and the policy denies what no rule fits.' };
    if (path !== undefined) return { verdict: 'ask', rule: path.rule, evidence: path.evidence, byRule: true };
    if (!auto) {
      if (never !== undefined) return { verdict: 'ask', ...never };
      return {
        verdict: byDefault,
        rule: 'default',
        evidence: `No rule fits it, and the policy ${byDefault === 'ask' ? 'asks for' : 'allows'} what no rule fits.`,
      };
    }
  } else if (!auto) return undefined;
  if (path !== undefined) return { verdict: 'ask', rule: path.rule, evidence: path.evidence, byRule: true };
  const risky = guarded !== undefined && never !== undefined ? never : asksInAuto(part);
  if (risky !== undefined) return { verdict: 'ask', ...risky };
  return part.sure ? { verdict: 'allow', rule: 'auto-mode', evidence: 'No rule minds it, and auto mode lets it pass.' } : undefined;
}

const order: readonly Decision[] = ['allow', 'ask', 'deny'];

function stricter(a: Decision, b: Decision): Decision {
  return order.indexOf(a) >= order.indexOf(b) ? a : b;
}

interface Rules {
  readonly allow: readonly ShellRule[];
  readonly ask: readonly ShellRule[];
  readonly deny: readonly ShellRule[];
}

// A policy is read once and decides many calls.
const known = new WeakMap<ShellPolicy, Rules>();

function rulesOf(policy: ShellPolicy): Rules {
  const read = (lines: readonly string[]) => lines.map(readShellRule).filter((rule) => rule !== undefined);
  const rules = known.get(policy) ?? { allow: read(policy.allow), ask: read(policy.ask), deny: read(policy.deny) };
  known.set(policy, rules);
  return rules;
}
