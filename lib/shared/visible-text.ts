const names: Readonly<Record<string, string>> = {
  '\u00ad': 'soft hyphen',
  '\u061c': 'Arabic letter mark',
  '\u200b': 'zero-width space',
  '\u200c': 'zero-width non-joiner',
  '\u200d': 'zero-width joiner',
  '\u200e': 'left-to-right mark',
  '\u200f': 'right-to-left mark',
  '\u202a': 'left-to-right embedding',
  '\u202b': 'right-to-left embedding',
  '\u202c': 'end of direction',
  '\u202d': 'left-to-right override',
  '\u202e': 'right-to-left override',
  '\u2060': 'word joiner',
  '\u2066': 'left-to-right isolate',
  '\u2067': 'right-to-left isolate',
  '\u2068': 'first strong isolate',
  '\u2069': 'end of isolate',
  '\ufeff': 'byte order mark',
};

const PADDING = 20;
const EMPTY_LINES = 3;

/**
 * Text in which nothing can hide: invisible and direction-changing characters stand there by name, long padding as a count.
 *
 * Out    the text itself where it holds none of these; names and counts stand between ⟦ and ⟧.
 */
export function visibleText(text: string): string {
  return namedCharacters(text)
    .replace(new RegExp(`\\t{8,}|[\\t ]{${PADDING},}`, 'g'), (run) => (run.replaceAll('\t', '') === '' ? `⟦${run.length} tabs⟧` : `⟦${run.length} blanks⟧`))
    .replace(new RegExp(`\\n(?:[\\t ]*\\n){${EMPTY_LINES},}`, 'g'), (run) => `\n⟦${run.split('\n').length - 2} empty lines⟧\n`);
}

/** Text in which invisible and direction-changing characters stand by name; blanks stay as they are, for text whose indents count. */
export function namedCharacters(text: string): string {
  return text.replace(/[\p{Cf}\p{Zl}\p{Zp}]|(?![\t\n])\p{Cc}/gu, (character) => `⟦${names[character] ?? codeOf(character)}⟧`);
}

function codeOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
