import { type Command, forEachChild, type Pipeline, parse, type Redirection, type Script, type SyntaxNode, type Word } from 'unbash';
import { indexNamesVariable, isTracePrompt, namesVariable, testIsArithmetic, wordsAreArithmetic } from './arithmetic';
import { innerCommands } from './inner-commands';
import { programOf } from './lookup';
import { isNameOfWhatRuns, setsWhatRuns } from './own-code';
import type { ShellPart, ShellRedirect, ShellWord } from './part';
import { readRedirection, type Stdin } from './redirection';
import { decodeWord, holdsSubstitution } from './word';

/** Words and characters of inner commands and scripts that are looked at for one command; what goes beyond is opaque. */
const INNER_LIMIT = 100_000;

/** What all of a command's scripts add to. */
export interface Walk {
  readonly parts: ShellPart[];
  /** Some text that was quoted holds the beginning of a substitution. */
  quotesSubstitution: boolean;
  /** An arithmetic expression that names a variable. */
  arithmetic: string | undefined;
  /** Why the script at hand cannot be judged at all. */
  broken: string | undefined;
  /** Of inner commands and scripts, so far. */
  innerSize: number;
}

/** Where a command stands. */
interface Place {
  readonly source: string;
  /** The word or here-document that carries the script; absent for the command itself. */
  readonly carrier?: { readonly from: number; readonly to: number };
  readonly redirects: readonly ShellRedirect[];
  readonly stdin: Stdin;
  /** What writes into the pipe that is read here. */
  readonly feed?: string;
  readonly sure: boolean;
  readonly plain: boolean;
}

/** Adds the parts of `command` to `walk`, those of every script inside it included. */
export function walkCommand(command: string, script: Script, walk: Walk): void {
  visit(script, { source: command, redirects: [], stdin: { kind: 'open' }, sure: true, plain: true }, walk);
}

function visit(node: SyntaxNode, place: Place, walk: Walk): void {
  switch (node.type) {
    case 'Script':
      if (node.errors !== undefined && node.errors.length > 0) walk.broken ??= `the shell's grammar does not fit: ${node.errors[0]?.message ?? ''}`;
      break;
    case 'Command':
      return visitCommand(node, place, walk);
    case 'Pipeline':
      return visitPipeline(node, place, walk);
    case 'Redirected': {
      const { redirects, stdin } = readRedirects(node.redirects, place, walk);
      return visit(node.command, { ...place, redirects: [...place.redirects, ...redirects], stdin: stdin ?? place.stdin, plain: false }, walk);
    }
    case 'Coproc':
      return visitChildren(node, { ...place, stdin: { kind: 'pipe' }, feed: place.source, plain: false }, walk);
    case 'CommandExpansion':
    case 'ArithmeticCommandExpansion':
    case 'ProcessSubstitution': {
      const { script } = node;
      // A substitution that the grammar skipped over would run unseen.
      if (script === undefined) walk.broken ??= `${node.text} could not be read`;
      else visit(script, insideExpansion(node, script, place), walk);
      return;
    }
    case 'TestCommand':
      addTest(node, place, walk);
      if (testIsArithmetic(node.expression)) walk.arithmetic ??= textOf(node, place);
      break;
    case 'ArithmeticCommand':
      addTest(node, place, walk);
      if (node.expression === undefined && node.body.trim() !== '') walk.broken ??= 'its arithmetic could not be read';
      if (namesVariable(node.body)) walk.arithmetic ??= textOf(node, place);
      break;
    case 'ArithmeticFor':
      addTest({ pos: node.pos, end: node.body.pos }, place, walk);
      for (const expression of [node.initialize, node.test, node.update])
        if (expression !== undefined && namesVariable(textOf(expression, place))) walk.arithmetic ??= textOf(expression, place);
      break;
    case 'ArithmeticExpansion': {
      const inner = node.text.startsWith('$[') ? node.text.slice(2, -1) : node.text.slice(3, -2);
      if (node.expression === undefined && inner.trim() !== '') walk.broken ??= `${node.text} could not be read`;
      if (namesVariable(inner)) walk.arithmetic ??= node.text;
      break;
    }
    case 'ParameterExpansion': {
      const { index, operation, prefix, text } = node;
      const slices = operation?.type === 'Slice' ? [operation.offset, operation.length] : [];
      const runsValue = (prefix === '!' && operation?.type !== 'Names') || (operation?.type === 'Transform' && operation.operand.value === 'P');
      if (
        runsValue ||
        (operation !== undefined && isTracePrompt(node.parameter)) ||
        (index !== undefined && indexNamesVariable(index)) ||
        slices.some((word) => word !== undefined && namesVariable(word.text))
      )
        walk.arithmetic ??= text;
      if (operation?.type === 'Default' && operation.operator.includes('=') && isNameOfWhatRuns(node.parameter)) addNamed(node, place, walk);
      if (operation?.type === 'Unknown') walk.broken ??= `${text} could not be read`;
      break;
    }
    case 'Assignment':
      if (isTracePrompt(node.name) || (node.index !== undefined && indexNamesVariable(node.index))) walk.arithmetic ??= node.text;
      break;
    case 'For':
    case 'Select':
      if (isTracePrompt(node.name.text)) walk.arithmetic ??= node.name.text;
      if (isNameOfWhatRuns(node.name.text)) addNamed(node.name, place, walk);
      break;
    case 'Word':
      walk.quotesSubstitution ||= decodeWord(node).quotesSubstitution;
      break;
    case 'HereDocBody':
      walk.quotesSubstitution ||= holdsSubstitution(
        node.parts === undefined ? node.text : node.parts.map((part) => (part.type === 'Literal' ? part.value : '\0')).join(''),
      );
      break;
  }
  visitChildren(node, place, walk);
}

function visitChildren(node: SyntaxNode, place: Place, walk: Walk): void {
  forEachChild(node, (child) => visit(child, place, walk));
}

function insideExpansion(node: SyntaxNode, script: Script, place: Place): Place {
  const inner = script.source === undefined ? place : { ...place, source: script.source, carrier: rangeOf(node, place), plain: false };
  return node.type === 'ProcessSubstitution' && node.operator === '>' ? { ...inner, stdin: { kind: 'pipe' }, feed: place.source, plain: false } : inner;
}

function visitPipeline(node: Pipeline, place: Place, walk: Walk): void {
  for (const prefix of node.prefixes) {
    if (prefix.type !== 'Time') continue;
    const first = node.commands[0];
    const options = [prefix.posix, prefix.endOfOptions].filter((option) => option !== undefined).map((option) => bareWord(option, place));
    const words = [bareWord({ pos: prefix.pos, end: prefix.keywordEnd }, place), ...options, ...(first?.type === 'Command' ? commandWords(first, place) : [])];
    const range = { pos: prefix.pos, end: first?.type === 'Command' ? first.end : prefix.end };
    addPart({ kind: 'command', node: range, words, assigns: false, redirects: place.redirects }, place, walk);
  }
  node.commands.forEach((command, index) => {
    visit(command, index === 0 ? place : { ...place, stdin: { kind: 'pipe' }, feed: place.source.slice(node.pos, command.pos) }, walk);
  });
}

function visitCommand(node: Command, place: Place, walk: Walk): void {
  const own = readRedirects(node.redirects, place, walk);
  const words = commandWords(node, place);
  const redirects = [...place.redirects, ...own.redirects];
  addPart({ kind: 'command', node, words, assigns: node.prefix.some((item) => item.type === 'Assignment'), redirects }, place, walk);
  if (node.name !== undefined) visit(node.name, place, walk);
  for (const item of node.prefix) {
    if (item.type === 'Assignment' && setsWhatRuns(item.text)) addOpaque(`a shell runs what ${item.text} names`, [assignmentWord(item, place)], place, walk);
  }
  for (const item of [...node.prefix, ...node.suffix]) if (item.type === 'Word' || item.type === 'Assignment') visit(item, place, walk);
  if (words.length > 0) followWords(words, { ...place, redirects, stdin: own.stdin ?? place.stdin }, walk);
}

/** Finds what a command's words run; `place` has the command's own redirections. */
function followWords(words: readonly ShellWord[], place: Place, walk: Walk): void {
  // Each reading of a wrapper's options begins at a word of the same list: one look at each is enough.
  const seen = new Map<readonly ShellWord[], Set<string>>();
  const open: { readonly base: readonly ShellWord[]; readonly from: number; readonly to: number; readonly sure: boolean }[] = [
    { base: words, from: 0, to: words.length, sure: place.sure },
  ];
  for (let at = 0; at < open.length; at++) {
    const { base, from, to, sure } = open[at] as (typeof open)[number];
    const own = from === 0 && to === base.length ? base : base.slice(from, to);
    const here: Place = { ...place, sure, plain: false };
    if (at > 0) addWords(own, here, walk);
    if (wordsAreArithmetic(programOf(own), own)) walk.arithmetic ??= shownWords(own);
    // The surest reading first, so that a part which it makes is never counted as a mere possibility.
    const inner = [...innerCommands(own)].sort((a, b) => Number(isSure(b)) - Number(isSure(a)));
    for (const one of inner) {
      if (one.kind === 'opaque') addOpaque(one.why, own, here, walk);
      else if (one.kind === 'command') {
        const next = one.words === undefined ? { base, from: from + one.from, to: from + one.to } : { base: one.words, from: one.from, to: one.to };
        const key = `${next.from}-${next.to}`;
        const known = seen.get(next.base) ?? new Set();
        if (known.has(key) || walk.innerSize > INNER_LIMIT) continue;
        seen.set(next.base, known.add(key));
        walk.innerSize += one.to - one.from + (one.words === undefined ? 0 : one.words.length);
        if (walk.innerSize > INNER_LIMIT) addOpaque('it is nested too deeply to be judged', own, here, walk);
        else open.push({ ...next, sure: sure && one.sure });
      } else if (one.kind === 'stdin') followStdin(own, { ...here, sure: sure && one.sure }, walk);
      else followScript(one.words, one.template === true, { ...here, sure: sure && one.sure }, own, walk);
    }
  }
}

function isSure(inner: ReturnType<typeof innerCommands>[number]): boolean {
  return inner.kind === 'opaque' || inner.sure;
}

function followStdin(words: readonly ShellWord[], place: Place, walk: Walk): void {
  const { stdin } = place;
  if (stdin.kind === 'pipe') addOpaque(`${programOf(words)} runs what a pipe brings`, words, place, walk);
  if (stdin.kind !== 'text') return;
  if (!stdin.literal) addOpaque(`the text that ${programOf(words)} runs is known only when it runs`, words, place, walk);
  // Its commands find on standard input only what is left of the script itself.
  readScript(stdin.text, stdin, { ...place, stdin: { kind: 'open' } }, words, walk);
}

function followScript(texts: readonly ShellWord[], template: boolean, place: Place, words: readonly ShellWord[], walk: Walk): void {
  const first = texts[0];
  const last = texts[texts.length - 1];
  if (first === undefined || last === undefined) return;
  if (!texts.every((word) => word.literal)) addOpaque(`the text that ${programOf(words)} runs is known only when it runs`, words, place, walk);
  const mark = walk.parts.length;
  readScript(texts.map((word) => word.value).join(' '), { from: first.from, to: last.to }, place, words, walk);
  const isTemplate = template && walk.parts.slice(mark).some((part) => /\{[^\s{}]*\}/.test(part.words[0]?.value ?? ''));
  if (isTemplate) addOpaque(`${programOf(words)} runs its arguments`, words, place, walk);
}

function readScript(text: string, carrier: { readonly from: number; readonly to: number }, place: Place, words: readonly ShellWord[], walk: Walk): void {
  walk.innerSize += text.length + 1;
  if (walk.innerSize > INNER_LIMIT) return addOpaque('it is nested too deeply to be judged', words, place, walk);
  const mark = walk.parts.length;
  const before = walk.broken;
  walk.broken = undefined;
  visit(parse(text), { ...place, source: text, carrier: { from: carrier.from, to: carrier.to }, plain: false }, walk);
  if (walk.broken !== undefined) {
    walk.parts.length = mark;
    addOpaque(`the text that ${programOf(words)} runs cannot be judged: ${walk.broken}`, words, place, walk);
  }
  walk.broken = before;
}

function readRedirects(nodes: readonly Redirection[], place: Place, walk: Walk): { readonly redirects: readonly ShellRedirect[]; readonly stdin?: Stdin } {
  const redirects: ShellRedirect[] = [];
  let stdin: Stdin | undefined;
  for (const node of nodes) {
    visitChildren(node, place, walk);
    const target = node.type === 'HereDoc' || node.target === undefined ? undefined : readWord(node.target, place);
    const read = readRedirection(node, textOf(node, place), target);
    if (read === undefined) {
      walk.broken ??= `${textOf(node, place)} uses a descriptor that is not judged`;
      continue;
    }
    redirects.push(read.redirect);
    if (read.stdin !== undefined) stdin = read.stdin.kind === 'text' && place.carrier !== undefined ? { ...read.stdin, ...place.carrier } : read.stdin;
  }
  return stdin === undefined ? { redirects } : { redirects, stdin };
}

function commandWords(node: Command, place: Place): readonly ShellWord[] {
  const words = node.name === undefined ? [] : [readWord(node.name, place)];
  for (const item of node.suffix) {
    if (item.type === 'Word') words.push(readWord(item, place));
    else if (item.type === 'Assignment') words.push(assignmentWord(item, place));
  }
  return words;
}

function assignmentWord(node: Extract<SyntaxNode, { type: 'Assignment' }>, place: Place): ShellWord {
  const head = node.text.slice(0, node.value.pos - node.pos);
  const range = rangeOf(node, place);
  if (node.value.type === 'ArrayValue') return { text: node.text, value: node.text, expands: true, literal: false, pattern: node.text, ...range };
  const value = decodeWord(node.value);
  const expands = value.expands || /[$`]/.test(head);
  return { text: node.text, value: head + value.value, expands, literal: value.literal && !expands, pattern: head + (value.pattern ?? value.value), ...range };
}

/** A keyword or its option. */
function bareWord(node: { readonly pos: number; readonly end: number }, place: Place): ShellWord {
  const text = textOf(node, place);
  return { text, value: text, expands: false, literal: true, ...rangeOf(node, place) };
}

function readWord(word: Word, place: Place): ShellWord {
  const { quotesSubstitution: _, ...decoded } = decodeWord(word);
  return { ...decoded, ...rangeOf(word, place) };
}

function addTest(node: { readonly pos: number; readonly end: number }, place: Place, walk: Walk): void {
  addPart({ kind: 'test', node, words: [], assigns: false, redirects: place.redirects }, place, walk);
}

function addWords(words: readonly ShellWord[], place: Place, walk: Walk): void {
  const range = { from: words[0]?.from ?? 0, to: words[words.length - 1]?.to ?? 0 };
  pushCommand({ text: shownWords(words), ...range, words, assigns: false, redirects: place.redirects, sure: place.sure, plain: false }, walk);
}

/** A variable that names what a shell runs gets a value. */
function addNamed(node: { readonly pos: number; readonly end: number }, place: Place, walk: Walk): void {
  const word = bareWord(node, place);
  addOpaque(`a shell runs what ${word.text} names`, [word], place, walk);
}

function addOpaque(why: string, words: readonly ShellWord[], place: Place, walk: Walk): void {
  const range = { from: words[0]?.from ?? 0, to: words[words.length - 1]?.to ?? 0 };
  walk.parts.push({
    kind: 'opaque',
    text: shownWords(words),
    ...range,
    words: [],
    assigns: false,
    redirects: place.redirects,
    sure: place.sure,
    plain: false,
    why,
  });
}

interface NewPart extends Pick<ShellPart, 'words' | 'assigns' | 'redirects'> {
  readonly kind: 'command' | 'test';
  readonly node: { readonly pos: number; readonly end: number };
}

function addPart({ kind, node, words, assigns, redirects }: NewPart, place: Place, walk: Walk): void {
  const base = {
    text: textOf(node, place),
    ...rangeOf(node, place),
    words,
    assigns,
    redirects,
    sure: place.sure,
    plain: place.plain,
    ...(place.feed === undefined ? {} : { feed: place.feed }),
  };
  if (kind === 'test') walk.parts.push({ kind, ...base });
  else pushCommand(base, walk);
}

/** A program that only the running shell knows makes the part opaque. */
function pushCommand(part: Omit<ShellPart, 'kind' | 'why'>, walk: Walk): void {
  const program = part.words[0];
  if (program === undefined || (program.value !== '' && isKnown(program))) walk.parts.push({ kind: 'command', ...part });
  else walk.parts.push({ kind: 'opaque', ...part, words: [], why: `which program ${program.text} is, is known only when it runs` });
}

function isKnown(program: ShellWord): boolean {
  // A message catalogue of the shell may translate $"…"; deny rules still fit what it says here.
  return program.literal || (/^\$"[^$`\\]*"$/.test(program.text) && program.value !== '');
}

function textOf(node: { readonly pos: number; readonly end: number }, place: Place): string {
  return place.source.slice(node.pos, node.end).trim();
}

function shownWords(words: readonly ShellWord[]): string {
  return words.map((word) => word.text).join(' ');
}

function rangeOf(node: { readonly pos: number; readonly end: number }, place: Place): { readonly from: number; readonly to: number } {
  return place.carrier ?? { from: node.pos, to: node.end };
}
