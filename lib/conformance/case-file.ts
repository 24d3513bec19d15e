import { canonicalJson } from '@/lib/shared/canonical-json';
import { isJsonObject, type Json, type JsonObject } from '@/lib/shared/json';

/** One case: `input` and `expected` mean what the contract of its file says. */
export interface Case {
  readonly id: string;
  readonly why: string;
  readonly input: JsonObject;
  /** Without `maxMillis`, which every kind may hold. */
  readonly expected: Json;
  /** A guard against hanging, no measurement. */
  readonly maxMillis?: number;
}

export interface CaseFile {
  readonly kind: string;
  readonly cases: readonly Case[];
}

/**
 * Reads a file of cases.
 *
 * In     JSON text `{kind, contract, cases: [{id, why, input, expected, source?}]}`; a key `__proto__` stays an own key.
 * Fails  throws an Error that says what is not of this format.
 */
export function readCaseFile(text: string): CaseFile {
  const file = JSON.parse(text) as Json;
  if (!isJsonObject(file) || typeof file.kind !== 'string' || !Array.isArray(file.cases))
    throw new Error('not a file of cases: {"kind", "contract", "cases"} is wanted');
  const unknown = Object.keys(file).find((key) => !['kind', 'contract', 'cases'].includes(key));
  if (unknown !== undefined) throw new Error(`not a file of cases: unknown field ${unknown}`);
  return { kind: file.kind, cases: file.cases.map(readCase) };
}

function readCase(value: Json, index: number): Case {
  if (!isJsonObject(value)) throw new Error(`case ${index} is no object`);
  const { id, why, input, expected } = value;
  if (typeof id !== 'string' || typeof why !== 'string' || !isJsonObject(input) || expected === undefined)
    throw new Error(`case ${index}: id, why, input and expected are wanted`);
  const unknown = Object.keys(value).find((key) => !['id', 'why', 'input', 'expected', 'source'].includes(key));
  if (unknown !== undefined) throw new Error(`case ${id}: unknown field ${unknown}`);
  if (!isJsonObject(expected) || !Object.hasOwn(expected, 'maxMillis')) return { id, why, input, expected };
  if (typeof expected.maxMillis !== 'number') throw new Error(`case ${id}: maxMillis is a number`);
  const compared = Object.fromEntries(Object.entries(expected).filter(([key]) => key !== 'maxMillis'));
  return { id, why, input, expected: compared, maxMillis: expected.maxMillis };
}

/** True when two cases say the same; their words of why do not count. */
export function isSameCase(a: Case, b: Case): boolean {
  return a.id === b.id && a.maxMillis === b.maxMillis && canonicalJson([a.input, a.expected]) === canonicalJson([b.input, b.expected]);
}
