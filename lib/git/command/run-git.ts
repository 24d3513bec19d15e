import type { HostCommandAnswer, HostCommandRequest } from '@/lib/contracts/host-command';
import type { RuntimeFileSystem } from '@/lib/contracts/runtime';
import type { CommitAuthor } from '@/lib/git/first-commit';
import { codeOf, messageOf } from '@/lib/shared/coded-error';
import { gitAdd } from './add';
import { gitBranch } from './branch';
import { gitCheckout, gitRestore, gitRm, gitSwitch } from './checkout';
import { gitCommit } from './commit';
import { gitDiff } from './diff';
import { type GitCommand, GitEnd, said } from './git-call';
import { gitLog, gitShow } from './log';
import { gitConfig, gitInit, gitLsFiles, gitRevParse } from './repository-commands';
import { gitStatus } from './status';

/** The git whose words are followed. */
const VERSION = 'git version 2.39.0 (in the browser)';

const commands: Readonly<Record<string, GitCommand>> = {
  add: gitAdd,
  branch: gitBranch,
  checkout: gitCheckout,
  commit: gitCommit,
  config: gitConfig,
  diff: gitDiff,
  init: gitInit,
  log: gitLog,
  'ls-files': gitLsFiles,
  restore: gitRestore,
  'rev-parse': gitRevParse,
  rm: gitRm,
  show: gitShow,
  stage: gitAdd,
  status: gitStatus,
  switch: gitSwitch,
};

const distant = 'There is no server that this workspace could talk to: its history stays in this browser.';
const absent: Readonly<Record<string, string>> = {
  push: distant,
  pull: distant,
  fetch: distant,
  clone: distant,
  remote: distant,
  rebase: 'History is not rewritten here. `git commit --amend` changes the newest commit.',
  merge: 'Branches are not merged here. `git checkout BRANCH -- PATHS` takes files of another branch.',
  'cherry-pick': '`git checkout COMMIT -- PATHS` takes files of another commit.',
  revert: '`git checkout COMMIT~1 -- PATHS` brings files back to what they were before a commit.',
  stash: 'Put changes aside with a branch: `git checkout -b aside`, `git commit -am "aside"`.',
  reset: '`git restore --staged PATHS` takes files out of the index, `git restore PATHS` throws changes away.',
  blame: '`git log -p -- PATH` shows which commit changed what.',
  mv: 'Move the file, then `git add -A`: a move without a change is seen as a rename.',
  tag: 'Tags can be read, not made.',
};

export interface GitProgram {
  readonly fs: RuntimeFileSystem;
  readonly now: () => number;
  readonly author: CommitAuthor;
}

/**
 * Runs one `git …` command line over the workspace, with the words and exit codes of git.
 *
 * Out    never rejects: 1 and 128 as git has them, 129 for an option that is not there.
 */
export async function runGit(request: HostCommandRequest, program: GitProgram): Promise<HostCommandAnswer> {
  try {
    const { name, args, cwd, config } = readGlobal(request);
    if (name === undefined || name === 'help' || name === '--help' || name === '-h') return said(usage(), '', name === undefined ? 1 : 0);
    if (name === '--version' || name === 'version' || name === '-v') return said(`${VERSION}\n`);
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (command === undefined) return said('', notThere(name), 1);
    if (args.includes('--help') || args.includes('-h')) return said(usage());
    return await command({ ...program, args, cwd, root: request.root, env: request.env, stdin: request.stdin, config, signal: request.signal });
  } catch (error) {
    if (error instanceof GitEnd) return error.answer;
    if (codeOf(error) === 'not-available') return said('', 'fatal: not a git repository (or any of the parent directories): .git\n', 128);
    return said('', `fatal: ${messageOf(error)}\n`, codeOf(error) === 'invalid-input' || codeOf(error) === 'execution-failed' ? 128 : 1);
  }
}

interface Global {
  readonly name: string | undefined;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly config: ReadonlyMap<string, string>;
}

/** Options before the sub-command: `-C folder`, `-c name=value`, `--no-pager`. */
function readGlobal(request: HostCommandRequest): Global {
  const config = new Map<string, string>();
  let { cwd } = request;
  for (let at = 0; at < request.args.length; at++) {
    const arg = request.args[at] as string;
    const next = request.args[at + 1];
    if (arg === '-C' && next !== undefined) {
      cwd = next.startsWith('/') ? next : `${cwd}/${next}`;
      at++;
    } else if (arg === '-c' && next !== undefined) {
      const split = next.indexOf('=');
      config.set(split < 0 ? next : next.slice(0, split), split < 0 ? 'true' : next.slice(split + 1));
      at++;
    } else if (arg !== '--no-pager' && arg !== '-P' && arg !== '--no-optional-locks') {
      if (arg.startsWith('-') && !['--version', '-v', '--help', '-h'].includes(arg))
        throw new GitEnd(`error: git does not know the option ${arg} here\n${usage()}`, 129);
      return { name: arg, args: request.args.slice(at + 1), cwd: plainFolder(cwd), config };
    }
  }
  return { name: undefined, args: [], cwd: plainFolder(cwd), config };
}

function plainFolder(path: string): string {
  const kept: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment === '..') kept.pop();
    else kept.push(segment);
  }
  return `/${kept.join('/')}`;
}

function usage(): string {
  return `usage: git [-C <path>] [-c <name>=<value>] <command> [<args>]\n\nThe commands here: ${Object.keys(commands).sort().join(', ')}.\n${distant}\n`;
}

function notThere(name: string): string {
  const reason = Object.hasOwn(absent, name) ? absent[name] : undefined;
  if (reason !== undefined) return `git: '${name}' is not available here. ${reason}\n`;
  return `git: '${name}' is not a git command here. The commands are: ${Object.keys(commands).sort().join(', ')}.\n`;
}
