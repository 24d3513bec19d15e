import type { CallId } from '@/lib/contracts/ids';
import type { OutsideBytes } from '@/lib/contracts/policy';
import { decodeUtf8, encodeUtf8 } from '@/lib/shared/bytes';
import { isJsonObject, type Json, type JsonObject } from '@/lib/shared/json';

/** UTF-8 bytes in a row that count as carried. Source governance 10. */
export const CARRIED_BYTES = 16;
/** Stretches told about one call, and UTF-16 units shown of each; more say nothing new to a person. */
const STRETCHES_MOST = 20;
const STRETCH_UNITS = 2_000;
/** Different windows of 16 bytes that are remembered: two MiB of text, more than a model can have before it. */
const WINDOWS_MOST = 2 * 1024 * 1024;
const FIRST_SLOTS = 1 << 12;

/** Remembers what came from outside in a session, and finds it again in later arguments. */
export interface OutsideTracker {
  /** An id that this project gave: where it stands in a noted text it is not from outside. */
  readonly ours: (id: string) => void;
  /** A running call was given bytes of this source, whatever it makes of them. */
  touched(callId: CallId, source: string): void;
  /** The source whose bytes a call was given first; undefined = none. */
  sourceOf(callId: CallId): string | undefined;
  /** Takes note of a text as it was handed to the model. */
  note(source: string, text: string): void;
  /** Stretches of 16 bytes or more of an earlier outside text, in any string of the input, keys too. Linear. */
  find(input: JsonObject): readonly OutsideBytes[];
}

/**
 * Makes an empty tracker.
 *
 * In     `windowsMost`: how many different windows are remembered. After so many what came earlier is still found, and since
 *        the rest is not known, every string that is long enough is taken to carry outside bytes.
 * Out    equal bytes are always found; that different ones are taken for equal has a chance of about 2⁻⁶⁴ each.
 */
export function createOutsideTracker(windowsMost = WINDOWS_MOST): OutsideTracker {
  const windows = createWindowSet(windowsMost);
  const sources: string[] = [];
  const own = new Set<string>();
  const given = new Map<CallId, string>();
  return {
    ours: (id) => void own.add(id),
    touched(callId, source) {
      if (!given.has(callId)) given.set(callId, source);
    },
    sourceOf: (callId) => given.get(callId),
    note(source, text) {
      let index = sources.indexOf(source);
      if (index < 0) index = sources.push(source) - 1;
      for (const part of withoutOwn(text, own)) eachWindow(encodeUtf8(part), (a, b) => windows.add(a, b, index));
    },
    find(input) {
      if (windows.isEmpty()) return [];
      const found: OutsideBytes[] = [];
      for (const { field, text } of stringsIn(input)) {
        if (found.length >= STRETCHES_MOST) break;
        if (text.length * 3 < CARRIED_BYTES) continue;
        const bytes = encodeUtf8(text);
        if (bytes.length < CARRIED_BYTES) continue;
        if (windows.isFull()) found.push({ field, source: 'more outside text than is remembered', text: text.slice(0, STRETCH_UNITS) });
        else
          found.push(
            ...stretchesIn(bytes, windows).map(({ from, to, source }) => ({ field, source: sources[source] as string, text: shown(bytes, from, to) })),
          );
      }
      return found.slice(0, STRETCHES_MOST);
    },
  };
}

interface Stretch {
  readonly from: number;
  to: number;
  readonly source: number;
}

function stretchesIn(bytes: Uint8Array, windows: WindowSet): readonly Stretch[] {
  const found: Stretch[] = [];
  eachWindow(bytes, (a, b, from) => {
    const source = windows.get(a, b);
    if (source === undefined) return;
    const last = found.at(-1);
    if (last !== undefined && last.source === source && from <= last.to) last.to = from + CARRIED_BYTES;
    else if (found.length < STRETCHES_MOST) found.push({ from, to: from + CARRIED_BYTES, source });
  });
  return found;
}

/** Whole characters only: a stretch may begin or end inside one. */
function shown(bytes: Uint8Array, from: number, to: number): string {
  let start = from;
  let end = to;
  while (start < end && ((bytes[start] as number) & 0xc0) === 0x80) start++;
  while (end < bytes.length && end > start && ((bytes[end] as number) & 0xc0) === 0x80) end--;
  return decodeUtf8(bytes.subarray(start, end)).slice(0, STRETCH_UNITS);
}

function withoutOwn(text: string, own: ReadonlySet<string>): readonly string[] {
  if (own.size === 0) return [text];
  const parts: string[] = [];
  let from = 0;
  for (const found of text.matchAll(/[\w-]{4,}/g)) {
    if (!own.has(found[0])) continue;
    parts.push(text.slice(from, found.index));
    from = found.index + found[0].length;
  }
  return [...parts, text.slice(from)];
}

/** Every string at any depth with its path; a stack of its own, since a model may nest 256 levels. */
function* stringsIn(input: JsonObject): Generator<{ readonly field: string; readonly text: string }> {
  const waiting: { readonly field: string; readonly value: Json }[] = [{ field: '', value: input }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { field, value } = next;
    if (typeof value === 'string') yield { field, text: value };
    if (typeof value !== 'object' || value === null) continue;
    const within = (key: string | number) => (field === '' ? String(key) : `${field}.${key}`);
    const inner = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
    if (isJsonObject(value)) for (const key of Object.keys(value)) yield { field: within(key), text: key };
    for (const [key, item] of inner.reverse()) if (item !== undefined) waiting.push({ field: within(key), value: item as Json });
  }
}

const BASE_A = 0x01000193;
const BASE_B = 0x5bd1e995;
const LEAVING_A = power(BASE_A);
const LEAVING_B = power(BASE_B);

function power(base: number): number {
  let value = 1;
  for (let i = 0; i < CARRIED_BYTES; i++) value = Math.imul(value, base);
  return value;
}

/** Two rolling hashes of every 16 bytes, mixed so that neighbours lie far apart. */
function eachWindow(bytes: Uint8Array, take: (a: number, b: number, from: number) => void): void {
  let a = 0;
  let b = 0;
  for (let i = 0; i < bytes.length; i++) {
    const entering = (bytes[i] as number) + 1;
    a = (Math.imul(a, BASE_A) + entering) | 0;
    b = (Math.imul(b, BASE_B) + entering) | 0;
    if (i < CARRIED_BYTES - 1) continue;
    if (i >= CARRIED_BYTES) {
      const leaving = (bytes[i - CARRIED_BYTES] as number) + 1;
      a = (a - Math.imul(leaving, LEAVING_A)) | 0;
      b = (b - Math.imul(leaving, LEAVING_B)) | 0;
    }
    take(mix(a), mix(b), i - CARRIED_BYTES + 1);
  }
}

function mix(hash: number): number {
  let value = hash ^ (hash >>> 16);
  value = Math.imul(value, 0x85ebca6b);
  value ^= value >>> 13;
  value = Math.imul(value, 0xc2b2ae35);
  return (value ^ (value >>> 16)) | 0;
}

interface WindowSet {
  add(a: number, b: number, source: number): void;
  /** The source that brought it first. */
  get(a: number, b: number): number | undefined;
  isEmpty(): boolean;
  isFull(): boolean;
}

/** Open addressing in three flat arrays: 10 bytes a slot, at most half of them taken. */
function createWindowSet(most: number): WindowSet {
  // No room before there is something to remember: most sessions meet nothing from outside.
  let slots = 0;
  let first = new Int32Array(0);
  let second = new Int32Array(0);
  /** Source + 1; 0 = free. */
  let owner = new Uint16Array(0);
  let taken = 0;
  let full = false;
  const place = (a: number, b: number): number => {
    let at = a & (slots - 1);
    while (owner[at] !== 0 && (first[at] !== a || second[at] !== b)) at = (at + 1) & (slots - 1);
    return at;
  };
  const put = (at: number, a: number, b: number, own: number) => {
    first[at] = a;
    second[at] = b;
    owner[at] = own;
  };
  const grow = () => {
    const [oldFirst, oldSecond, oldOwner] = [first, second, owner];
    slots = slots === 0 ? FIRST_SLOTS : slots * 2;
    first = new Int32Array(slots);
    second = new Int32Array(slots);
    owner = new Uint16Array(slots);
    for (const [at, own] of oldOwner.entries())
      if (own !== 0) put(place(oldFirst[at] as number, oldSecond[at] as number), oldFirst[at] as number, oldSecond[at] as number, own);
  };
  return {
    add(a, b, source) {
      if (full) return;
      if (slots === 0) grow();
      let at = place(a, b);
      if (owner[at] !== 0) return;
      if (taken >= most) {
        full = true;
        return;
      }
      if ((taken + 1) * 2 > slots) {
        grow();
        at = place(a, b);
      }
      put(at, a, b, Math.min(source + 1, 0xffff));
      taken++;
    },
    get(a, b) {
      if (slots === 0) return undefined;
      const own = owner[place(a, b)];
      return own === undefined || own === 0 ? undefined : own - 1;
    },
    isEmpty: () => taken === 0 && !full,
    isFull: () => full,
  };
}
