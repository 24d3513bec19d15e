import type { Mode } from '@/lib/contracts/approval';
import type { Decision, ShellPolicy } from '@/lib/contracts/policy';
import { judgeCommand } from '@/lib/policy/shell-verdict';
import { isJsonObject, type Json } from '@/lib/shared/json';
import { joinParts, named, type Runner, refuseUnknown, strings } from './runner';

/** Kind `shell-policy`: the decision about one command. */
export const runShellPolicy: Runner = ({ input, expected }) => {
  refuseUnknown('input', input, ['mode', 'policy', 'command']);
  refuseUnknown('expected', expected, ['decision']);
  return named(expected, { decision: judgeCommand(joinParts(input.command), readPolicy(input.policy), readMode(input.mode)).decision });
};

/** A mode as cases write it. */
export function readMode(value: Json | undefined): Mode {
  if (value !== 'plan' && value !== 'ask' && value !== 'auto-edit' && value !== 'auto') throw new Error('the mode is plan, ask, auto-edit or auto');
  return value;
}

/** A shell policy as cases write it. */
function readPolicy(value: Json | undefined): ShellPolicy {
  if (!isJsonObject(value)) throw new Error('a policy is {allow, ask, deny, default}');
  refuseUnknown('policy', value, ['allow', 'ask', 'deny', 'default']);
  if (value.default !== 'allow' && value.default !== 'ask' && value.default !== 'deny') throw new Error('the default is allow, ask or deny');
  const byDefault: Decision = value.default;
  return { allow: strings(value.allow), ask: strings(value.ask), deny: strings(value.deny), default: byDefault };
}
