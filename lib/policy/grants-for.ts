import type { JsonObject } from '@/lib/shared/json';
import { readCommand } from '@/lib/shell/parts';
import { grantKey, partGrantKey } from './grant-key';
import { grantWords } from './grant-words';

/** One approval to remember: its key, and what it lets through in words. */
export interface GrantToKeep {
  readonly key: string;
  readonly covers: string;
}

/**
 * What a person's yes is remembered under.
 *
 * In     `parts`: the parts of a compound command, as written, that the yes was given for; undefined = the whole, as one.
 * Out    each key once; nothing for a part that the command does not have, or that cannot be remembered on its own.
 */
export function grantsFor(tool: string, input: JsonObject, parts: readonly string[] | undefined): readonly GrantToKeep[] {
  if (parts === undefined) {
    const key = grantKey(tool, input);
    return key === undefined ? [] : [{ key, covers: grantWords(tool, input) ?? '' }];
  }
  if (tool !== 'exec_shell' || typeof input.command !== 'string') return [];
  const named = new Set(parts.map((part) => part.trim()));
  const found = new Map<string, GrantToKeep>();
  for (const { text, covers, key } of partGrants(input)) if (key !== undefined && named.has(text.trim())) found.set(key, { key, covers });
  return [...found.values()];
}

/** A part of a command, and what an approval of it alone is remembered under; no key = it cannot be. */
export interface PartGrant {
  readonly text: string;
  readonly from: number;
  readonly to: number;
  readonly key?: string;
  readonly covers: string;
}

/** Every part of a command that an approval could be given for on its own. */
export function partGrants(input: JsonObject): readonly PartGrant[] {
  if (typeof input.command !== 'string') return [];
  const reading = readCommand(input.command);
  return reading.parts.map((part) => {
    const { text, from, to } = part;
    const key = partGrantKey(part, reading, input);
    return key === undefined ? { text, from, to, covers: '' } : { text, from, to, key, covers: partWords(key, text) };
  });
}

/** The key says what it is: a family, or the part itself, each with what the parts before it change. */
function partWords(key: string, text: string): string {
  const read: unknown = key.startsWith('[') ? JSON.parse(key) : undefined;
  const setting = ', where the same other parts stand around it';
  if (!Array.isArray(read)) return `exactly "${text}"`;
  if (read[1] !== 'family' || !Array.isArray(read[2])) return `exactly "${text}"${setting}`;
  const folder = read[3] === '' ? '' : ` in ${String(read[3])}`;
  return `every command that begins with "${read[2].join(' ')}"${folder}, whatever options and words follow${read.length > 4 ? setting : ''}`;
}
