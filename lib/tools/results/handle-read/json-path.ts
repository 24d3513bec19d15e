import { CodedError } from '@/lib/shared/coded-error';
import { characterStart } from '@/lib/shared/fitting-text';
import type { Json, JsonObject } from '@/lib/shared/json';
import { oneLine } from '@/lib/shared/text-lines';
import { type Condition, parsePath, type Selector } from './parse-json-path';

/** A value that a path found, and where: a path of its own that leads to it alone, written out when it is asked for. */
export interface Match {
  readonly path: string;
  readonly value: Json;
  /** Where the value is a text: the path of what follows its character `at`. */
  textFrom(at: number): string;
}

/** Values looked at for one path; some paths visit a document many times over. */
const VISITS_MOST = 2_000_000;

/** A value by its way from the root: deep in a document, the paths written out would take more than the document. */
export class Place implements Match {
  constructor(
    readonly value: Json,
    private readonly parent?: Place,
    private readonly key: string | number | readonly [from: number, to: number] = '$',
  ) {}

  get path(): string {
    const steps: string[] = [];
    for (let at: Place | undefined = this; at !== undefined; at = at.parent) steps.push(at.parent === undefined ? '$' : stepOf(at.key));
    return steps.reverse().join('');
  }

  textFrom(at: number): string {
    if (typeof this.key !== 'object' || this.parent === undefined) return `${this.path}[${at}:]`;
    const [from, to] = this.key;
    return `${this.parent.path}[${from + at}:${to}]`;
  }
}

/**
 * Finds the values that a JSONPath names.
 *
 * In     `path` in the common subset of RFC 9535: `$`, `.name`, `['name']`, `[0]`, `[-1]`, `[1:5:2]`, `[*]`, `..name`, several in one bracket, `[?@.a == 1]`.
 *        Beyond it, `[0:500]` of a text is a part of the text (not behind `..`, which would take parts of all texts).
 * Out    matches in document order; nothing is ever run as code.
 * Fails  CodedError `invalid-input` for a path that cannot be read, or that visits too much.
 */
export function findByPath(root: Json, path: string): readonly Match[] {
  let visits = 0;
  const visit = (count = 1) => {
    visits += count;
    if (visits > VISITS_MOST)
      throw new CodedError(
        'invalid-input',
        `The path ${JSON.stringify(oneLine(path, 200))} visits more than ${VISITS_MOST} values. Send one that names its way more closely.`,
      );
  };
  let matches: readonly Place[] = [new Place(root)];
  for (const step of parsePath(path)) {
    const from = step.deep ? matches.flatMap((match) => withInner(match, visit)) : matches;
    matches = from.flatMap((match) => step.selectors.flatMap((selector) => select(match, selector, visit, step.deep)));
  }
  return matches;
}

type Visit = (count?: number) => void;

function withInner(match: Place, visit: Visit): readonly Place[] {
  const found: Place[] = [];
  const waiting = [match];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    found.push(next);
    const inner = children(next, visit);
    for (let at = inner.length - 1; at >= 0; at--) waiting.push(inner[at] as Place);
  }
  return found;
}

function children(place: Place, visit: Visit): readonly Place[] {
  const { value } = place;
  if (typeof value !== 'object' || value === null) return [];
  const entries = Array.isArray(value) ? undefined : Object.entries(value);
  visit(entries?.length ?? (value as readonly Json[]).length);
  return entries?.map(([key, item]) => new Place(item as Json, place, key)) ?? (value as readonly Json[]).map((item, index) => new Place(item, place, index));
}

function stepOf(key: string | number | readonly [number, number]): string {
  if (typeof key === 'object') return `[${key.join(':')}]`;
  if (typeof key === 'number') return `[${key}]`;
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}

function select(match: Place, selector: Selector, visit: Visit, deep: boolean): readonly Place[] {
  visit();
  const { value } = match;
  switch (selector.kind) {
    case 'name': {
      if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, selector.name)) return [];
      return [new Place((value as JsonObject)[selector.name] as Json, match, selector.name)];
    }
    case 'index': {
      if (!Array.isArray(value)) return [];
      const at = selector.at < 0 ? value.length + selector.at : selector.at;
      return at >= 0 && at < value.length ? [new Place(value[at] as Json, match, at)] : [];
    }
    case 'slice': {
      if (typeof value === 'string' && !deep && (selector.step ?? 1) === 1) return [textPart(match, value, selector)];
      if (!Array.isArray(value)) return [];
      const named = sliced(value.length, selector);
      visit(named.length);
      return named.map((at) => new Place(value[at] as Json, match, at));
    }
    case 'all':
      return children(match, visit);
    case 'filter':
      return children(match, visit).filter((child) => holds(child.value, selector.condition));
  }
}

/** A part of a text by its characters (UTF-16 units), counted as a slice counts entries; a pair that makes one sign stays whole. */
export function textPart(place: Place, text: string, { start = 0, end = text.length }: { readonly start?: number; readonly end?: number }): Place {
  const at = (asked: number) => characterStart(text, Math.min(Math.max(asked < 0 ? text.length + asked : asked, 0), text.length));
  const from = at(start);
  const to = Math.max(at(end), from);
  return new Place(text.slice(from, to), place, [from, to]);
}

/** Indexes that a slice names, as RFC 9535 counts them. */
export function sliced(
  length: number,
  { start, end, step = 1 }: { readonly start?: number; readonly end?: number; readonly step?: number },
): readonly number[] {
  const from = (at: number) => (at < 0 ? length + at : at);
  const found: number[] = [];
  if (step > 0) for (let at = Math.max(from(start ?? 0), 0); at < Math.min(from(end ?? length), length); at += step) found.push(at);
  if (step < 0)
    for (let at = Math.min(from(start ?? length - 1), length - 1); at > Math.max(end === undefined ? -1 : from(end), -1); at += step) found.push(at);
  return found;
}

function holds(value: Json, condition: Condition): boolean {
  if (condition.kind !== 'test') {
    const inner = (one: Condition) => holds(value, one);
    return condition.kind === 'or' ? condition.of.some(inner) : condition.of.every(inner);
  }
  let at: Json | undefined = value;
  for (const key of condition.path) {
    if (Array.isArray(at)) at = typeof key === 'number' ? at.at(key) : undefined;
    else at = typeof at === 'object' && at !== null && Object.hasOwn(at, key) ? (at as JsonObject)[key] : undefined;
  }
  if (condition.operator === undefined) return (at !== undefined) !== condition.not;
  return compare(at, condition.operator, condition.value ?? null);
}

function compare(left: Json | undefined, operator: string, right: Json): boolean {
  const same = left === right;
  if (operator === '==') return same;
  if (operator === '!=') return !same;
  const ordered = (typeof left === 'number' && typeof right === 'number') || (typeof left === 'string' && typeof right === 'string');
  if (!ordered) return false;
  if (operator === '<') return left < right;
  if (operator === '<=') return left <= right;
  return operator === '>' ? left > right : left >= right;
}
