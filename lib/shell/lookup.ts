import type { ShellWord } from './part';

/** An entry of a table; a name that every object has (constructor, …) is no entry. */
export function entryOf<Value>(table: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

/** The program of a command without its directory; '' where there are no words. */
export function programOf(words: readonly ShellWord[]): string {
  const value = words[0]?.value ?? '';
  return value.slice(value.lastIndexOf('/') + 1);
}

/** True for a word that a program takes for an option; `-` alone is an operand. */
export function isOption(value: string): boolean {
  return value.length > 1 && value.startsWith('-');
}

/**
 * True when `value` is one of the options in `entries`.
 *
 * Out    equal to an entry, the entry with `=…`, or, for a dash and one letter, beginning with it or a group of short options that holds the letter.
 */
export function isOneOf(value: string, entries: readonly string[], groups: boolean): boolean {
  if (!value.startsWith('-')) return false;
  for (const entry of entries) {
    if (entry.length === 2 && entry !== '--') {
      // One dash and one letter: the value may follow at once.
      if (value.startsWith(entry) || (groups && /^-[A-Za-z]+$/.test(value) && value.includes(entry.charAt(1)))) return true;
    } else if (value.startsWith(entry) && (value.length === entry.length || value.charAt(entry.length) === '=')) return true;
  }
  return false;
}

/**
 * True when a program may take `value` for one of the long options in `entries`, which many know by their first letters too.
 *
 * Out    false for an option of another name that only begins like one (`others`).
 */
export function isShortFor(value: string, entries: readonly string[], others: readonly string[] = []): boolean {
  if (!/^--[A-Za-z]/.test(value)) return false;
  const [name = ''] = value.split('=', 1);
  if (others.includes(name)) return false;
  return entries.some((entry) => {
    const at = entry.indexOf('=');
    // Of an entry with a value only the name may be cut.
    return at === -1 ? entry.startsWith(name) : entry.slice(0, at).startsWith(name) && value.slice(name.length) === entry.slice(at);
  });
}
