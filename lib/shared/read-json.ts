import { isJsonObject, type Json, type JsonObject } from './json';

/** The value of JSON `text`; undefined when it is not JSON. A key `__proto__` stays an own key. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** The own field `key` of a JSON object; undefined for anything else. */
export function fieldOf(value: Json | undefined, key: string): Json | undefined {
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** The own field `key` when it holds text. */
export function textField(value: Json | undefined, key: string): string | undefined {
  const field = fieldOf(value, key);
  return typeof field === 'string' ? field : undefined;
}

/** The own field `key` when it holds a finite number. */
export function numberField(value: Json | undefined, key: string): number | undefined {
  const field = fieldOf(value, key);
  return typeof field === 'number' && Number.isFinite(field) ? field : undefined;
}

/** The own field `key` when it holds an object. */
export function objectField(value: Json | undefined, key: string): JsonObject | undefined {
  const field = fieldOf(value, key);
  return isJsonObject(field) ? field : undefined;
}

/** The own field `key` when it holds a list; else an empty one. */
export function listField(value: Json | undefined, key: string): readonly Json[] {
  const field = fieldOf(value, key);
  return Array.isArray(field) ? (field as readonly Json[]) : [];
}
