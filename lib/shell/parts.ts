import { type ParsedScript, parse, type Word } from 'unbash';
import { programOf } from './lookup';
import type { ShellPart, ShellReading, ShellWord } from './part';
import { folderChangers } from './programs';
import { type Walk, walkCommand } from './syntax-walk';
import { decodeWord } from './word';

/** UTF-16 units over which a command is not judged. */
export const COMMAND_LIMIT = 10_000;

/** The grammar gives up at this depth, but only after looking at every level again and again. */
const NESTING_LIMIT = 256;

/**
 * Reads a command by the full bash grammar into everything that it runs.
 *
 * Out    the parts in the order of the text, each wrapper before what it runs; never empty: a command that cannot be
 *        judged (empty, too long, not parsed, descriptors above 2) is one opaque part.
 * Fails  never; cost is linear in the command, inner scripts together are read up to a fixed number of characters.
 * Source cases, kind shell-policy.
 */
export function readCommand(command: string): ShellReading {
  const invisible = /\p{Cf}/u.test(command);
  if (command.length > COMMAND_LIMIT) return opaque(command, `it has more than ${COMMAND_LIMIT.toLocaleString('en')} characters`, invisible);
  if (nestsTooDeeply(command)) return opaque(command, 'it is nested too deeply to be judged', invisible);
  let script: ParsedScript;
  const walk: Walk = { parts: [], quotesSubstitution: false, arithmetic: undefined, broken: undefined, innerSize: 0 };
  try {
    script = parse(command);
    walkCommand(command, script, walk);
  } catch {
    return opaque(command, 'it could not be read', invisible);
  }
  if (walk.broken !== undefined) return opaque(command, walk.broken, invisible);
  if (walk.parts.length === 0) return opaque(command, 'it holds no command', invisible);
  const parts = walk.quotesSubstitution && walk.arithmetic !== undefined ? [...walk.parts, evaluated(command, walk.arithmetic)] : walk.parts;
  const single = singleCommand(command, script);
  return { parts, invisible, changesFolder: parts.some((part) => folderChangers.has(programOf(part.words))), ...(single === undefined ? {} : { single }) };
}

function nestsTooDeeply(command: string): boolean {
  let depth = 0;
  for (const bracket of command.match(/[()]/g) ?? []) {
    depth = bracket === '(' ? depth + 1 : Math.max(depth - 1, 0);
    if (depth > NESTING_LIMIT) return true;
  }
  return false;
}

function opaque(command: string, why: string, invisible: boolean): ShellReading {
  const part: ShellPart = {
    kind: 'opaque',
    text: command.trim(),
    from: 0,
    to: command.length,
    words: [],
    assigns: false,
    redirects: [],
    sure: true,
    plain: false,
    why,
  };
  return { parts: [part], invisible, changesFolder: false };
}

function evaluated(command: string, arithmetic: string): ShellPart {
  const at = Math.max(command.indexOf(arithmetic), 0);
  const why = `the shell evaluates the value of a variable in ${arithmetic}, and quoted text here holds a substitution`;
  return { kind: 'opaque', text: arithmetic, from: at, to: at + arithmetic.length, words: [], assigns: false, redirects: [], sure: true, plain: false, why };
}

/** The words of a command that is one simple command, with nothing but blanks between them. */
function singleCommand(command: string, script: ParsedScript): readonly ShellWord[] | undefined {
  const only = script.commands[0];
  if (script.commands.length !== 1 || only === undefined || only.background === true) return undefined;
  const node = only.command;
  if (node.type !== 'Command' || node.name === undefined || node.prefix.length > 0) return undefined;
  const words: Word[] = [node.name];
  for (const item of node.suffix) {
    if (item.type !== 'Word') return undefined;
    words.push(item);
  }
  let end = 0;
  for (const word of words) {
    if (/[^ \t]/.test(command.slice(end, word.pos))) return undefined;
    end = word.end;
  }
  if (/[^ \t]/.test(command.slice(end))) return undefined;
  return words.map((word) => {
    const { quotesSubstitution: _, ...decoded } = decodeWord(word);
    return { ...decoded, from: word.pos, to: word.end };
  });
}
