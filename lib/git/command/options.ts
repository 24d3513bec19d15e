import { GitEnd } from './git-call';

/** What a sub-command takes: spelling → the name it is known by. */
export interface OptionSpec {
  readonly flags?: Readonly<Record<string, string>>;
  /** Options with a value: `-n 5`, `-n5`, `--max-count=5`, `--max-count 5`. */
  readonly values?: Readonly<Record<string, string>>;
}

export interface ReadOptions {
  has(name: string): boolean;
  /** The last value given; undefined when none was. */
  value(name: string): string | undefined;
  all(name: string): readonly string[];
  /** Words before `--`. */
  readonly words: readonly string[];
  /** Words after `--`; undefined when there was none. */
  readonly paths: readonly string[] | undefined;
}

/** Accepted everywhere and without meaning here: there are no colours and no pager. */
const IDLE = new Set(['--no-color', '--color', '--color=auto', '--color=never', '--color=always', '--no-pager', '--no-ext-diff']);

/**
 * Reads the options of one git sub-command as git does: joined short ones, values with and without `=`, `--`.
 *
 * Fails  GitEnd 129 that names an option which is not there.
 */
export function readOptions(command: string, args: readonly string[], spec: OptionSpec): ReadOptions {
  const { flags = {}, values = {} } = spec;
  const given = new Set<string>();
  const found = new Map<string, string[]>();
  const words: string[] = [];
  let paths: string[] | undefined;
  const add = (name: string, value: string) => void found.set(name, [...(found.get(name) ?? []), value]);
  const known = (table: Readonly<Record<string, string>>, option: string) => (Object.hasOwn(table, option) ? table[option] : undefined);
  const missing = (option: string) => new GitEnd(`error: option \`${option.replace(/^-+/, '')}' requires a value`, 129);
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] as string;
    if (arg === '--') {
      paths = args.slice(at + 1);
      break;
    }
    if (!arg.startsWith('-') || arg === '-') {
      words.push(arg);
      continue;
    }
    if (IDLE.has(arg)) continue;
    const [option = '', joined] = arg.startsWith('--') ? split(arg) : [arg, undefined];
    const flag = joined === undefined ? known(flags, option) : undefined;
    const valued = known(values, option);
    if (flag !== undefined) given.add(flag);
    else if (valued !== undefined) {
      const value = joined ?? args[++at];
      if (value === undefined) throw missing(option);
      add(valued, value);
    } else if (arg.startsWith('--')) throw notThere(command, arg);
    else at = readShort(command, arg, args, at, { flags, values, given, add, known, missing });
  }
  return { has: (name) => given.has(name), value: (name) => found.get(name)?.at(-1), all: (name) => found.get(name) ?? [], words, paths };
}

interface ShortPorts {
  readonly flags: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, string>>;
  readonly given: Set<string>;
  add(name: string, value: string): void;
  known(table: Readonly<Record<string, string>>, option: string): string | undefined;
  missing(option: string): GitEnd;
}

/** `-am message`, `-sb`, `-n5`, `-5`: letters one by one; the first that takes a value takes the rest, or the next word. */
function readShort(command: string, arg: string, args: readonly string[], at: number, ports: ShortPorts): number {
  const count = /^-(\d+)$/.exec(arg)?.[1];
  const counted = ports.known(ports.values, '-<number>');
  if (count !== undefined && counted !== undefined) {
    ports.add(counted, count);
    return at;
  }
  for (let i = 1; i < arg.length; i++) {
    const option = `-${arg[i]}`;
    const flag = ports.known(ports.flags, option);
    const valued = ports.known(ports.values, option);
    if (flag !== undefined) ports.given.add(flag);
    else if (valued !== undefined) {
      const rest = arg.slice(i + 1);
      const value = rest === '' ? args[at + 1] : rest;
      if (value === undefined) throw ports.missing(option);
      ports.add(valued, value);
      return rest === '' ? at + 1 : at;
    } else throw notThere(command, option);
  }
  return at;
}

function split(arg: string): readonly [string, string | undefined] {
  const at = arg.indexOf('=');
  return at < 0 ? [arg, undefined] : [arg.slice(0, at), arg.slice(at + 1)];
}

function notThere(command: string, option: string): GitEnd {
  return new GitEnd(`error: git ${command} does not know the option ${option} here`, 129);
}
