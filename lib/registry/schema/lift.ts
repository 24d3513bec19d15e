import type { Json, JsonObject } from '@/lib/shared/json';
import { isSameJson, ownValue, type SchemaNode, setKey } from './schema-nodes';

/** Keywords that only describe. */
export const annotations: ReadonlySet<string> = new Set(['title', 'description', 'default', 'examples', 'deprecated', 'readOnly', 'writeOnly', '$comment']);

/** True when both could be said in one node: no keyword but an annotation stands on both with different values. */
export function fitsInto(node: JsonObject, member: JsonObject): boolean {
  return Object.keys(member).every((key) => annotations.has(key) || !Object.hasOwn(node, key) || isSameJson(node[key], member[key]));
}

/** Says in `node` what `member` says; an annotation that stands there already wins. */
export function liftInto(node: SchemaNode, member: JsonObject): void {
  for (const [key, value] of Object.entries(member)) if (!Object.hasOwn(node, key)) setKey(node, key, value);
}

/** The keywords of a node without one of them. */
export function without(node: JsonObject, ...keys: readonly string[]): SchemaNode {
  return Object.fromEntries(Object.entries(node).filter(([key]) => !keys.includes(key)));
}

/** Adds to a node's description what could not be said by keywords. */
export function tell(node: SchemaNode, words: readonly string[]): void {
  if (words.length === 0) return;
  const before = ownValue(node, 'description');
  node.description = [...(typeof before === 'string' && before !== '' ? [before] : []), `(${words.join('; ')})`].join(' ');
}

const LONGEST_VALUE = 2000;

/** `minLength 2`, `enum 1, 2`: a keyword and its value as a model can read them. */
export function inWords(keyword: string, value: Json): string {
  const text = Array.isArray(value) ? value.map(plain).join(', ') : plain(value);
  return `${keyword} ${text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text}`;
}

function plain(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
