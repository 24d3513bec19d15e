import { type CompareSides, compare } from '@/lib/git/compare';
import { resolveCommit } from '@/lib/git/history';
import { openRepository, type Repository, readStates } from '@/lib/git/repository';
import { fatal, type GitCall, type GitCommand, said } from './git-call';
import { type ReadOptions, readOptions } from './options';
import { typedPath } from './paths';
import { changeFlags, changeValues, showChanges } from './show-changes';

export const gitDiff: GitCommand = async (call) => {
  const options = readOptions('diff', call.args, {
    flags: { ...changeFlags, '--staged': 'staged', '--cached': 'staged', '--exit-code': 'exit-code', '--quiet': 'quiet', '-q': 'quiet' },
    values: changeValues,
  });
  const repository = await openRepository(call.fs);
  const { revisions, paths } = await splitWords(repository, call, options);
  const changes = await compare(repository, await sidesOf(repository, revisions, options.has('staged')), paths.length === 0 ? [''] : paths);
  const differs = changes.length > 0 ? 1 : 0;
  if (options.has('quiet')) return said('', '', differs);
  return said(showChanges(changes, options), '', options.has('exit-code') ? differs : 0);
};

async function sidesOf(repository: Repository, revisions: readonly string[], staged: boolean): Promise<CompareSides> {
  const [first, second, third] = revisions;
  if (third !== undefined) throw fatal(`git diff compares two commits at most, and ${revisions.length} were named`);
  if (first === undefined) return { kind: staged ? 'head-index' : 'index-work' };
  if (staged) {
    if (second !== undefined || (await resolveCommit(repository, first)) !== (await resolveCommit(repository, 'HEAD')))
      throw fatal('git diff --staged compares with the newest commit only here');
    return { kind: 'head-index' };
  }
  const dots = /^(.*?)\.\.\.?(.*)$/.exec(first);
  if (dots !== null)
    return { kind: 'commits', before: await resolveCommit(repository, dots[1] || 'HEAD'), after: await resolveCommit(repository, dots[2] || 'HEAD') };
  const before = await resolveCommit(repository, first);
  return second === undefined ? { kind: 'commit-work', before } : { kind: 'commits', before, after: await resolveCommit(repository, second) };
}

/** Words before the paths name commits as long as they do; a word that is neither is an error, as in git. */
export async function splitWords(
  repository: Repository,
  call: GitCall,
  options: ReadOptions,
): Promise<{ readonly revisions: readonly string[]; readonly paths: readonly string[] }> {
  if (options.paths !== undefined) return { revisions: options.words, paths: options.paths.map((word) => typedPath(call, word)) };
  const revisions: string[] = [];
  const paths: string[] = [];
  for (const word of options.words) {
    if (paths.length === 0 && (await isRevision(repository, word))) revisions.push(word);
    else {
      const path = typedPath(call, word);
      if (path !== '' && (await readStates(repository, [path])).length === 0)
        throw fatal(
          `ambiguous argument '${word}': unknown revision or path not in the working tree.\nUse '--' to separate paths from revisions, like this:\n'git <command> [<revision>...] -- [<file>...]'`,
        );
      paths.push(path);
    }
  }
  return { revisions, paths };
}

async function isRevision(repository: Repository, word: string): Promise<boolean> {
  const parts = word.includes('..') ? word.split(/\.\.\.?/) : [word];
  try {
    for (const part of parts) await resolveCommit(repository, part === '' ? 'HEAD' : part);
    return true;
  } catch {
    return false;
  }
}
