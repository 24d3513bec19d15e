import type { DoubleQuotedChild, Word, WordPart } from 'unbash';
import { anyText, hereText, homeText, type ShellWord, unknownText } from './part';

/** A word with what the contexts around it ask for. */
export interface DecodedWord extends Omit<ShellWord, 'from' | 'to'> {
  /** Text that was quoted or escaped still holds the beginning of a command substitution. */
  readonly quotesSubstitution: boolean;
}

/** Removes the quotes of a word and says what in it the shell would still expand. */
export function decodeWord(word: Pick<Word, 'text' | 'value' | 'parts'>): DecodedWord {
  const { text, value, parts } = word;
  const tilde = text.startsWith('~');
  if (parts === undefined) {
    const plain = { text, value, expands: false, literal: !tilde, quotesSubstitution: holdsSubstitution(value) };
    return tilde ? { ...plain, ...withTilde(escapePattern(value)) } : plain;
  }
  const piece = { pattern: '', inert: '', expands: false, globs: false };
  for (const part of parts) addPart(part, piece);
  const literal = !piece.expands && !piece.globs && !tilde;
  const decoded = { text, value, expands: piece.expands, literal, quotesSubstitution: holdsSubstitution(piece.inert) };
  if (literal) return decoded;
  return { ...decoded, ...(tilde ? withTilde(piece.pattern) : patterns(piece.pattern)) };
}

type Patterns = Pick<ShellWord, 'pattern' | 'resolved'>;

function patterns(resolved: string): Patterns {
  const pattern = resolved.replaceAll(homeText, unknownText).replaceAll(hereText, unknownText);
  return pattern === resolved ? { pattern } : { pattern, resolved };
}

/** In     a pattern that begins with an unquoted tilde. */
function withTilde(pattern: string): Patterns {
  const place = /^~(?:\/|$)/.test(pattern) ? homeText : /^~\+(?:\/|$)/.test(pattern) ? hereText : unknownText;
  const { pattern: whole, resolved = whole } = patterns(unknownText + pattern.slice(1));
  return place === unknownText
    ? { pattern: whole, ...(resolved === whole ? {} : { resolved }) }
    : { pattern: whole, resolved: place + (resolved as string).slice(place === hereText ? 2 : 1) };
}

/** True when text that runs nothing now would run a command if a shell evaluated it. */
export function holdsSubstitution(text: string): boolean {
  return text.includes('$(') || text.includes('`') || /\$\{[\s|]/.test(text);
}

/** The text of a pattern without the backslashes of what was quoted. */
export function unescapePattern(pattern: string): string {
  return pattern.replace(/\\([\s\S])/g, '$1');
}

/** Text of a pattern that stands for `text` and nothing else. */
export function escapePattern(text: string): string {
  return text.replace(/[*?[\]{},\\!]/g, '\\$&');
}

interface Piece {
  pattern: string;
  /** What is text now, a NUL for each expansion. */
  inert: string;
  expands: boolean;
  globs: boolean;
}

function addPart(part: WordPart | DoubleQuotedChild, piece: Piece): void {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      piece.pattern += escapePattern(part.value);
      piece.inert += part.value;
      return;
    case 'DoubleQuoted':
    case 'LocaleString':
      for (const child of part.parts) addPart(child, piece);
      return;
    case 'Glob':
      piece.globs = true;
      piece.inert += unknownText;
      if (part.kind === 'star') piece.pattern += '*';
      else if (part.kind === 'question') piece.pattern += '?';
      else addBracket(part.text, part.parts, piece);
      return;
    case 'ExtendedGlob':
      piece.globs = true;
      piece.inert += unknownText;
      piece.pattern += anyText;
      if (part.parts?.some((inner) => inner.type !== 'Literal')) piece.expands = true;
      return;
    case 'BraceExpansion':
      piece.expands = true;
      piece.pattern += part.text.replace(/['"\\]/g, '');
      piece.inert += unknownText;
      return;
    default:
      piece.expands = true;
      piece.pattern += placeOf(part);
      piece.inert += unknownText;
  }
}

/** What an expansion is known to stand for: a folder that every shell names, unless the command says otherwise. */
function placeOf(part: WordPart | DoubleQuotedChild): string {
  let name = '';
  if (part.type === 'SimpleExpansion') name = part.text.slice(1);
  else if (part.type === 'ParameterExpansion' && part.prefix === undefined && part.index === undefined) {
    const { operation } = part;
    if (operation === undefined || (operation.type === 'Default' && !operation.operator.includes('+'))) name = part.parameter;
  }
  return name === 'HOME' ? homeText : name === 'PWD' ? hereText : unknownText;
}

function addBracket(text: string, parts: readonly WordPart[], piece: Piece): void {
  if (parts.some((inner) => inner.type !== 'Literal' && inner.type !== 'SingleQuoted' && inner.type !== 'Glob')) {
    piece.expands = true;
    piece.pattern += '?';
  } else piece.pattern += /\[[:.=]|['"\\]/.test(text) ? '?' : text;
}
