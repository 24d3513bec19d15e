/** What a `node` command line asks for. */
export type NodeCommand =
  | {
      readonly kind: 'file';
      readonly file: string;
      readonly argv: readonly string[];
      readonly preload: readonly string[];
      readonly execArgv: readonly string[];
    }
  | {
      readonly kind: 'text';
      readonly source: string;
      readonly print: boolean;
      readonly argv: readonly string[];
      readonly preload: readonly string[];
      readonly execArgv: readonly string[];
    }
  | { readonly kind: 'stdin'; readonly argv: readonly string[]; readonly preload: readonly string[]; readonly execArgv: readonly string[] }
  | { readonly kind: 'check'; readonly file: string }
  | {
      readonly kind: 'test';
      readonly words: readonly string[];
      readonly namePatterns: readonly string[];
      readonly only: boolean;
      readonly preload: readonly string[];
    }
  | { readonly kind: 'version' }
  | { readonly kind: 'help' }
  | { readonly kind: 'bad-option'; readonly option: string };

/** Options that take a value and change nothing here. */
const WITH_VALUE = new Set([
  '--loader',
  '--experimental-loader',
  '--conditions',
  '-C',
  '--title',
  '--stack-trace-limit',
  '--test-reporter',
  '--test-reporter-destination',
  '--test-concurrency',
  '--test-timeout',
  '--test-shard',
  '--env-file',
  '--max-old-space-size',
  '--input-type',
  '--experimental-default-type',
  '--disable-warning',
  '--icu-data-dir',
  '--openssl-config',
  '--redirect-warnings',
  '--test-coverage-include',
  '--test-coverage-exclude',
  '--watch-path',
]);

/** Modules that only make Node read TypeScript, which is read here without them. */
const NEEDLESS = /^(?:tsx|ts-node(?:\/.*)?|@swc-node\/.*|tsx\/.*|@esbuild-kit\/.*|source-map-support\/register)$/;

export function readNodeCommand(args: readonly string[]): NodeCommand {
  const preload: string[] = [];
  const execArgv: string[] = [];
  const namePatterns: string[] = [];
  let test = false;
  let only = false;
  let check = false;
  let source: string | undefined;
  let print = false;
  let at = 0;
  for (; at < args.length; at++) {
    const arg = args[at] as string;
    if (arg === '--') {
      at++;
      break;
    }
    if (!arg.startsWith('-') || arg === '-') {
      // `node --test` takes options after its files too.
      if (!test) break;
      return testCommand(args.slice(at), { preload, namePatterns, only });
    }
    execArgv.push(arg);
    const [name = arg, inline] = arg.startsWith('--') && arg.includes('=') ? [arg.slice(0, arg.indexOf('=')), arg.slice(arg.indexOf('=') + 1)] : [arg];
    const value = (): string => inline ?? (args[++at] as string | undefined) ?? '';
    if (name === '-v' || name === '--version') return { kind: 'version' };
    if (name === '-h' || name === '--help') return { kind: 'help' };
    if (name === '-e' || name === '--eval') source = value();
    else if (name === '-p' || name === '--print' || name === '-pe') {
      print = true;
      source = value();
    } else if (name === '-c' || name === '--check') check = true;
    else if (name === '-r' || name === '--require' || name === '--import') {
      const module = value();
      if (!NEEDLESS.test(module)) preload.push(module);
    } else if (name === '--test') test = true;
    else if (name === '--test-only') only = true;
    else if (name === '--test-name-pattern') namePatterns.push(value());
    else if (name === '-i' || name === '--interactive') return { kind: 'bad-option', option: name };
    else if (WITH_VALUE.has(name)) value();
    else if (!arg.startsWith('--')) return { kind: 'bad-option', option: name };
  }
  const rest = args.slice(at);
  if (test) return testCommand(rest, { preload, namePatterns, only });
  if (source !== undefined) return { kind: 'text', source, print, argv: rest, preload, execArgv };
  const [file, ...argv] = rest;
  if (file === undefined || file === '-') return { kind: 'stdin', argv, preload, execArgv };
  if (check) return { kind: 'check', file };
  return { kind: 'file', file, argv, preload, execArgv };
}

function testCommand(
  rest: readonly string[],
  given: { readonly preload: readonly string[]; readonly namePatterns: readonly string[]; readonly only: boolean },
): NodeCommand {
  const words: string[] = [];
  const namePatterns = [...given.namePatterns];
  let only = given.only;
  for (let i = 0; i < rest.length; i++) {
    const word = rest[i] as string;
    if (word === '--test-only') only = true;
    else if (word.startsWith('--test-name-pattern')) namePatterns.push(word.includes('=') ? word.slice(word.indexOf('=') + 1) : (rest[++i] ?? ''));
    else if (word.startsWith('--')) {
      if (!word.includes('=') && WITH_VALUE.has(word)) i++;
    } else words.push(word);
  }
  return { kind: 'test', words, namePatterns, only, preload: given.preload };
}
