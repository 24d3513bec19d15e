import type { SimpleCommandNode, WordNode } from './syntax';

/** How many plain operands a filter may have and still read standard input. */
const FILTERS: Readonly<Record<string, number>> = {
  cat: 0,
  sort: 0,
  uniq: 0,
  wc: 0,
  head: 0,
  tail: 0,
  tac: 0,
  rev: 0,
  nl: 0,
  fold: 0,
  cut: 0,
  paste: 0,
  column: 0,
  od: 0,
  strings: 0,
  expand: 0,
  unexpand: 0,
  base64: 0,
  md5sum: 0,
  sha1sum: 0,
  sha256sum: 0,
  gzip: 0,
  gunzip: 0,
  zcat: 0,
  mapfile: 9,
  readarray: 9,
  tee: 99,
  xargs: 99,
  tr: 2,
  grep: 1,
  egrep: 1,
  fgrep: 1,
  rg: 0,
  sed: 1,
  awk: 1,
  jq: 1,
  bash: 0,
  sh: 0,
};

/** Options of filters whose value is the next word. */
const VALUE_OPTIONS: Readonly<Record<string, string>> = {
  head: 'nc',
  tail: 'nc',
  sort: 'kto',
  cut: 'dfcb',
  paste: 'd',
  grep: 'ABCm',
  egrep: 'ABCm',
  fgrep: 'ABCm',
  awk: 'Fv',
  fold: 'w',
  nl: 'bw',
  column: 'stc',
  jq: '',
  sed: '',
  uniq: 'fsw',
  od: 'Atn',
};

/** Options that carry the pattern or script themselves, so that no operand does. */
const SCRIPT_OPTIONS: Readonly<Record<string, string>> = { grep: 'ef', egrep: 'ef', fgrep: 'ef', sed: 'ef', awk: 'f', jq: 'f' };

/**
 * How a command uses the standard input that it inherits: `line` takes one line at a time, `rest` all of it.
 * A guess by name and operands: the shell hands input over whole, so only commands that read it may wait for it.
 */
export function readsInput(command: SimpleCommandNode): 'line' | 'rest' | undefined {
  const name = literalWord(command.name);
  if (name === undefined) return undefined;
  if (name === 'read') return 'line';
  const allowed = Object.hasOwn(FILTERS, name) ? FILTERS[name] : undefined;
  if (allowed === undefined) return undefined;
  let operands = 0;
  let scripted = false;
  for (let i = 0; i < command.args.length; i++) {
    const text = literalWord(command.args[i] ?? null);
    if (text === '-') return 'rest';
    if (text === undefined || !text.startsWith('-') || text === '--') {
      if (text !== '--') operands++;
      continue;
    }
    const last = text.at(-1) ?? '';
    if (text.startsWith('--')) continue;
    if (SCRIPT_OPTIONS[name]?.includes(last)) scripted = true;
    else if (!VALUE_OPTIONS[name]?.includes(last)) continue;
    if (text.length === 2) i++;
  }
  const needed = scripted && allowed > 0 ? allowed - 1 : allowed;
  return operands <= needed ? 'rest' : undefined;
}

/** The text of a word that needs no expansion; undefined otherwise. */
export function literalWord(word: WordNode | null): string | undefined {
  if (!word) return undefined;
  let text = '';
  for (const part of word.parts) {
    if (part.type === 'Literal' || part.type === 'SingleQuoted' || part.type === 'Escaped') text += part.value;
    else if (part.type === 'DoubleQuoted' && part.parts.every((inner) => inner.type === 'Literal'))
      text += part.parts.map((inner) => (inner.type === 'Literal' ? inner.value : '')).join('');
    else return undefined;
  }
  return text;
}
