import type { CallFacts, Policy, PolicyRule, ShellPolicy, Standing } from '@/lib/contracts/policy';
import type { JsonObject } from '@/lib/shared/json';
import { commandPathRules } from './command-paths';
import { fitsRule } from './rule-fit';
import { judgeCommand, type ShellVerdict } from './shell-verdict';
import { starterPolicy } from './starter-policy';

/** What the rules of a policy say about one call. */
export interface RuleVerdict {
  readonly denied?: PolicyRule;
  readonly asked?: { readonly rule: PolicyRule; readonly evidence: string };
  readonly allowed?: PolicyRule;
  /** Of a command: its parts. */
  readonly command?: ShellVerdict;
}

/**
 * Holds a call against every rule of a policy: deny beats ask, ask beats allow, wherever they stand.
 *
 * Out    the first rule of each effect that fits. An allow rule covers a command only where it names exactly this command; a broader one makes what no
 *        command rule fits pass, as a default of allow does.
 */
export function judgeCall(facts: CallFacts, policy: Policy, { mode }: Standing): RuleVerdict {
  let denied: PolicyRule | undefined;
  let asked: RuleVerdict['asked'];
  let allowed: PolicyRule | undefined;
  for (const rule of policy.rules) {
    const fits = fitsRule(rule, facts);
    if (fits === 'no') continue;
    if (rule.effect === 'deny' && fits === 'yes') denied ??= rule;
    else if (rule.effect === 'allow') allowed ??= isForCommand(rule, facts) ? undefined : rule;
    else asked ??= { rule, evidence: fits === 'yes' ? 'fits it' : `covers a part of ${(facts.under ?? []).map((path) => path || 'the workspace').join(', ')}` };
  }
  const command = commandOf(facts);
  const said: { -readonly [Key in keyof RuleVerdict]: RuleVerdict[Key] } = {};
  if (denied !== undefined) said.denied = denied;
  if (asked !== undefined) said.asked = asked;
  if (command === undefined) {
    if (allowed !== undefined) said.allowed = allowed;
    return said;
  }
  const exact = policy.rules.find(
    (rule) => rule.effect === 'allow' && isForCommand(rule, facts) && namesAll(rule.args, facts.input) && fitsRule(rule, facts) === 'yes',
  );
  const isOpen = allowed !== undefined || exact !== undefined;
  const judged = judgeCommand(command, shellPolicyOf(policy, isOpen), mode, {
    cwd: typeof facts.input.cwd === 'string' ? facts.input.cwd : '.',
    paths: commandPathRules(policy.rules, facts),
    hasInput: facts.input.stdin !== undefined,
    ...(mode === 'ask' && !isOpen && policy.default !== 'allow' && holdsStarter(policy) ? { readingRules: starterRules } : {}),
  });
  return { ...said, command: judged, ...(exact === undefined ? {} : { allowed: exact }) };
}

function commandOf({ tool, input }: CallFacts): string | undefined {
  return tool === 'exec_shell' && typeof input.command === 'string' ? input.command : undefined;
}

function isForCommand({ args }: PolicyRule, facts: CallFacts): boolean {
  return args?.command !== undefined && commandOf(facts) !== undefined;
}

/** A rule for one command is for one input of it too: what else the call brings, it has to name. */
function namesAll(args: JsonObject | undefined, input: JsonObject): boolean {
  return Object.keys(input).every((field) => field === 'timeout_ms' || input[field] === undefined || Object.hasOwn(args ?? {}, field));
}

const starterRules = new Set(starterPolicy.shell.allow);

/** True for the starter policy and a file that was made from it: its rules are for reading. A person who picked rules of their own meant what these say. */
function holdsStarter({ shell }: Policy): boolean {
  return shell === starterPolicy.shell || starterPolicy.shell.allow.every((rule) => shell.allow.includes(rule));
}

// The command rules of a policy are read once, so their object has to stay the same.
const shells = new WeakMap<Policy, { readonly own: ShellPolicy; readonly open: ShellPolicy }>();

function shellPolicyOf(policy: Policy, open: boolean): ShellPolicy {
  const known = shells.get(policy) ?? { own: { ...policy.shell, default: policy.default }, open: { ...policy.shell, default: 'allow' as const } };
  shells.set(policy, known);
  return open ? known.open : known.own;
}
