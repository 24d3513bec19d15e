import type { Policy } from '@/lib/contracts/policy';
import { isJsonObject, type Json, type JsonObject } from '@/lib/shared/json';
import { parseJson } from '@/lib/shared/read-json';
import type { NewRule } from './make-rule';
import { starterPolicy } from './starter-policy';

const WIDTH = 120;

/** The text of a policy as a person would write it: what fits stands on one line. */
export function policyText(policy: Policy | JsonObject): string {
  return `${write(policy as unknown as Json, '')}\n`;
}

/**
 * The text of a policy file with one rule more.
 *
 * In     `text` of a file that loads; null = there is none, and the starter policy is what is added to.
 * Out    everything that stood there, and the rule at the end of its list; the same text where the rule stood there already.
 */
export function withRule(text: string | null, made: NewRule): string {
  const parsed = text === null ? undefined : parseJson(text.replace(/^\ufeff/, ''));
  const file = isJsonObject(parsed) ? parsed : (starterPolicy as unknown as JsonObject);
  const added: Json = made.list === 'rules' ? (made.rule as unknown as Json) : made.entry;
  if (made.list === 'rules') return withEntry(text, file, file.rules, added, (rules) => ({ ...file, rules }));
  const part = isJsonObject(file[made.list]) ? (file[made.list] as JsonObject) : {};
  return withEntry(text, file, part.allow, added, (allow) => ({ ...file, [made.list]: { ...part, allow } }));
}

function withEntry(text: string | null, file: JsonObject, list: Json | undefined, added: Json, put: (list: readonly Json[]) => JsonObject): string {
  const before = Array.isArray(list) ? (list as readonly Json[]) : [];
  if (before.some((entry) => JSON.stringify(entry) === JSON.stringify(added))) return text ?? policyText(file);
  return policyText(put([...before, added]));
}

function write(value: Json, indent: string): string {
  const inner = `${indent}  `;
  const flat = oneLine(value);
  // The file itself and lists of rules are easier to read one below the other.
  const isLong = indent === '' || indent.length + flat.length > WIDTH;
  if (!isLong || typeof value !== 'object' || value === null) return flat;
  if (Array.isArray(value)) return `[\n${value.map((item: Json) => `${inner}${write(item, inner)}`).join(',\n')}\n${indent}]`;
  const members = Object.entries(value as JsonObject).map(([key, member]) => `${inner}${JSON.stringify(key)}: ${write(member, inner)}`);
  return `{\n${members.join(',\n')}\n${indent}}`;
}

function oneLine(value: Json): string {
  if (Array.isArray(value)) return `[${value.map((item: Json) => oneLine(item)).join(', ')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}: ${oneLine(member)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}
