import { currentBranch, headCommit, openRepository, type Repository, readStates } from '@/lib/git/repository';
import { statusOf } from '@/lib/git/status';
import { type GitCall, type GitCommand, said } from './git-call';
import { readOptions } from './options';
import { quoteSpaced, shownFrom, typedPath } from './paths';
import { foldUntracked, longStatus, type StatusFacts } from './status-text';

const letters = { added: 'A', modified: 'M', deleted: 'D', renamed: 'R' } as const;

export const gitStatus: GitCommand = async (call) => {
  const options = readOptions('status', call.args, {
    flags: {
      '-s': 'short',
      '--short': 'short',
      '--porcelain': 'porcelain',
      '-b': 'branch',
      '--branch': 'branch',
      '--long': 'long',
      '-u': 'all',
      '--untracked-files': 'all',
      '-uno': 'none',
      '-uall': 'all',
    },
    values: { '--untracked-files': 'untracked', '--porcelain': 'version' },
  });
  const asked = options.value('untracked') ?? (call.args.includes('-uno') ? 'no' : options.has('all') ? 'all' : 'normal');
  const porcelain = options.has('porcelain') || options.value('version') !== undefined;
  const repository = await openRepository(call.fs);
  const typed = [...options.words, ...(options.paths ?? [])].map((word) => typedPath(call, word));
  const facts = await readFacts(repository, call, typed.length === 0 ? [''] : typed, asked);
  if (!porcelain && !options.has('short')) return said(longStatus(facts));
  const shown: StatusFacts = porcelain ? { ...facts, show: (path) => path } : facts;
  return said(shortStatus(shown, options.has('branch')));
};

/** What every form of status is made of; `untracked`: no, normal, all. */
export async function readFacts(repository: Repository, call: GitCall, paths: readonly string[], untracked = 'normal'): Promise<StatusFacts> {
  const states = await readStates(repository, paths);
  const status = statusOf(states);
  const loose = status.filter((one) => one.work === 'untracked').map((one) => one.path);
  const everything = paths.includes('') ? states : await readStates(repository);
  const tracked = everything.filter((state) => state.index !== undefined).map((state) => state.path);
  return {
    branch: await currentBranch(repository),
    head: await headCommit(repository),
    paths: status.filter((one) => one.work !== 'untracked' || one.index !== undefined),
    untracked: untracked === 'no' ? [] : untracked === 'all' ? loose : foldUntracked(loose, tracked),
    leftOut: untracked === 'no',
    show: (path) => shownFrom(call, path),
  };
}

function shortStatus({ branch, head, paths, untracked, show }: StatusFacts, withBranch: boolean): string {
  const name = branch ?? 'HEAD (no branch)';
  const lines = withBranch ? [`## ${head === undefined ? 'No commits yet on ' : ''}${name}`] : [];
  for (const { path, index, from, work } of paths) {
    const state = `${index === undefined ? ' ' : letters[index]}${work === 'deleted' ? 'D' : work === 'modified' ? 'M' : ' '}`;
    lines.push(`${state} ${from === undefined ? '' : `${quoteSpaced(show(from))} -> `}${quoteSpaced(show(path))}`);
  }
  for (const path of untracked) lines.push(`?? ${quoteSpaced(show(path))}`);
  return lines.map((line) => `${line}\n`).join('');
}
