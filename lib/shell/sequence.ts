import { anyText } from './part';

// The backslashes of quoted text come in pairs.
const sequence = /(?<!\\)((?:\\\\)*)\{(?:([-+]?\d+)\.\.([-+]?\d+)|([A-Za-z])\.\.([A-Za-z]))(?:\.\.([-+]?\d+))?\}/g;
const padded = /^[-+]?0\d/;
const WORD_LIMIT = 64;
const NAME_LIMIT = 3;
const DIGIT_LIMIT = 6;

interface Sequence {
  readonly from: number;
  readonly to: number;
  readonly by: number;
  readonly letters: boolean;
  /** As written; none for letters. */
  readonly numbers: readonly string[];
}

/**
 * A pattern with each sequence of its braces, like `{a..c}`, written as the list of words it makes, `{a,b,c}`.
 *
 * Out    `anyText` for one that makes more words than anyone reads, alone or with those before it, and for one with zeros in front.
 *        Linear in the pattern.
 */
export function spellSequences(pattern: string): string {
  return spell(pattern, WORD_LIMIT, () => [anyText]);
}

/** The same for names of files, of which only the form counts: a longer sequence is a glob, so a short text stands for few patterns. */
export function globSequences(pattern: string): string {
  return spell(pattern, NAME_LIMIT, formsOf);
}

function spell(pattern: string, limit: number, longer: (sequence: Sequence) => readonly string[]): string {
  let room = WORD_LIMIT;
  return pattern.replace(sequence, (_, before: string, low?: string, high?: string, first?: string, last?: string, step = '1') => {
    const numbers = low === undefined || high === undefined ? [] : [low, high];
    const from = low === undefined ? (first as string).charCodeAt(0) : Number(low);
    const to = high === undefined ? (last as string).charCodeAt(0) : Number(high);
    const read: Sequence = { from, to, by: Math.abs(Number(step)) || 1, letters: low === undefined, numbers };
    const count = Math.floor(Math.abs(to - from) / read.by) + 1;
    const isSmall = count <= limit && [from, to].every(Number.isSafeInteger) && !numbers.some((number) => padded.test(number));
    const items = isSmall ? itemsOf(read, count) : longer(read);
    if (items.length > room) return before + anyText;
    room = Math.floor(room / items.length);
    return before + listOf(items);
  });
}

function itemsOf({ from, to, by, letters }: Sequence, count: number): readonly string[] {
  return Array.from({ length: count }, (_item, index) => {
    const item = from + (to < from ? -by : by) * index;
    return letters ? String.fromCharCode(item).replace(/[^A-Za-z]/, (one) => `\\${one}`) : String(item);
  });
}

/** Braces around one thing are no list to the shell. */
function listOf(items: readonly string[]): string {
  return items.length === 1 ? (items[0] as string) : `{${items.join()}}`;
}

/** The forms of a long sequence: a set for letters, and one for each count of digits. */
function formsOf({ from, to, letters, numbers }: Sequence): readonly string[] {
  if (letters) {
    const [low, high] = [Math.min(from, to), Math.max(from, to)].map((code) => String.fromCharCode(code)) as [string, string];
    // Between capitals and small letters stand brackets.
    return [low <= 'Z' && high >= 'a' ? '?' : `[${low}-${high}]`];
  }
  const lengths = numbers.map((number) => number.length);
  const [shortest, longest] = [Math.min(...lengths), Math.max(...lengths)];
  if (longest > DIGIT_LIMIT || numbers.some((number) => !/^\d/.test(number))) return [anyText];
  return Array.from({ length: longest - shortest + 1 }, (_form, index) => '[0-9]'.repeat(shortest + index));
}
