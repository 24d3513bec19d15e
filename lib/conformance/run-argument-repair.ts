import { repairArguments } from '@/lib/pipeline/2-plan/repair-arguments';
import { isJsonObject, type Json } from '@/lib/shared/json';
import { joinParts, named, type Runner, refuseUnknown } from './runner';

/** Kind `arg-repair`: the argument ladder. */
export const runArgumentRepair: Runner = ({ input, expected }) => {
  refuseUnknown('input', input, ['raw', 'policy']);
  refuseUnknown('expected', expected, ['ok', 'rung', 'value', 'error', 'valueShape']);
  if (input.policy !== 'repair' && input.policy !== 'strict_only') throw new Error('policy is repair or strict_only');
  const raw = joinParts(input.raw);
  const { ok, ...answer } = repairArguments(raw, input.policy);
  const memberOfEverything = Object.getOwnPropertyNames(Object.prototype).find((name) => !KNOWN_MEMBERS.has(name));
  if (memberOfEverything !== undefined) throw new Error(`Object.prototype has a new member ${memberOfEverything}`);
  const value = 'value' in answer ? answer.value : undefined;
  // An answer that has a member which is not expected is a different answer.
  const shaped = isJsonObject(expected) && expected.valueShape !== undefined;
  return {
    ...named(expected, { valueShape: value === undefined ? undefined : shapeOf(value) }),
    ok,
    ...('rung' in answer ? { rung: answer.rung } : {}),
    ...('error' in answer ? { error: answer.error } : {}),
    ...(shaped || value === undefined ? {} : { value }),
  };
};

const KNOWN_MEMBERS: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype));

function shapeOf(value: Json): Json {
  if (!isJsonObject(value)) return 'not an object';
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, typeof member === 'string' ? { length: member.length } : 'not a text']));
}
