import { isJsonObject, type Json, type JsonObject } from '@/lib/shared/json';
import type { Case } from './case-file';

/**
 * Drives the product's own code with one case of its kind.
 *
 * In     `expected` is given so that a condition ("contains these") can be answered: the answer repeats what holds.
 *        `siblings`: the other cases of the same file.
 * Out    what `expected` should be. Of an object only the fields named in `expected` are compared.
 * Fails  throws on a field that it does not know, in `input` or `expected`.
 */
export type Runner = (one: Case, siblings: readonly Case[]) => Json | Promise<Json>;

export type CaseReport =
  | { readonly passed: true; readonly id: string; readonly why: string }
  | { readonly passed: false; readonly id: string; readonly why: string; readonly expected: Json; readonly got: Json };

/** Gives every runner the same answer to an unknown field. */
export function refuseUnknown(what: string, value: Json, known: readonly string[]): void {
  if (!isJsonObject(value)) throw new Error(`${what} is no object`);
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown !== undefined) throw new Error(`${what}: no runner knows the field ${unknown}`);
}

/** The fields of `got` that `expected` names; a field that is not there at all is missing in the answer too. */
export function named(expected: Json, got: Readonly<Record<string, Json | undefined>>): JsonObject {
  if (!isJsonObject(expected)) throw new Error('expected is no object');
  const fields: [string, Json][] = [];
  for (const key of Object.keys(expected)) {
    const value = Object.hasOwn(got, key) ? got[key] : undefined;
    if (value !== undefined) fields.push([key, value]);
  }
  return Object.fromEntries(fields);
}

/** Text of a case: a string, `{parts}`, or a list of strings and `{repeat, count}`. */
export function joinParts(value: Json | undefined): string {
  if (typeof value === 'string') return value;
  const parts: Json | undefined = isJsonObject(value) ? value.parts : value;
  if (!Array.isArray(parts)) throw new Error('text is a string, a list, or {parts}');
  return parts
    .map((part: Json) => {
      if (typeof part === 'string') return part;
      if (isJsonObject(part) && typeof part.repeat === 'string' && typeof part.count === 'number') return part.repeat.repeat(part.count);
      throw new Error('a part is a string or {repeat, count}');
    })
    .join('');
}

export function strings(value: Json | undefined): readonly string[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) throw new Error('a list of strings is wanted');
  return value as readonly string[];
}

export function objects(value: Json | undefined): readonly JsonObject[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value) || !value.every(isJsonObject)) throw new Error('a list of objects is wanted');
  return value as readonly JsonObject[];
}

export function text(value: Json | undefined): string {
  if (typeof value !== 'string') throw new Error('a text is wanted');
  return value;
}

/** A yes or no with its default. */
export function flag(value: Json | undefined, byDefault = false): boolean {
  if (value === undefined || value === null) return byDefault;
  if (typeof value !== 'boolean') throw new Error('true or false is wanted');
  return value;
}
