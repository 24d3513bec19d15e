import git from 'isomorphic-git';
import { authorOf, commitIndex } from '@/lib/git/commit';
import { compare } from '@/lib/git/compare';
import type { CommitAuthor } from '@/lib/git/first-commit';
import { headCommit, openRepository, type Repository } from '@/lib/git/repository';
import { stagePaths } from '@/lib/git/stage';
import { decodeUtf8 } from '@/lib/shared/bytes';
import { type GitCall, type GitCommand, GitEnd, said } from './git-call';
import { type ReadOptions, readOptions } from './options';
import { typedPath } from './paths';
import { joinRenames, modeLines, shortStat } from './show-changes';
import { readFacts } from './status';
import { longStatus } from './status-text';

export const gitCommit: GitCommand = async (call) => {
  const options = readOptions('commit', call.args, {
    flags: {
      '-a': 'all',
      '--all': 'all',
      '--amend': 'amend',
      '--no-edit': 'no-edit',
      '--allow-empty': 'allow-empty',
      '-q': 'quiet',
      '--quiet': 'quiet',
      '-v': 'verbose',
      '-n': 'no-verify',
      '--no-verify': 'no-verify',
      '--no-gpg-sign': 'no-sign',
    },
    values: { '-m': 'message', '--message': 'message', '-F': 'file', '--file': 'file', '--author': 'author' },
  });
  if (options.words.length > 0 || (options.paths ?? []).length > 0)
    throw new GitEnd('error: git commit takes no paths here: stage them with git add, then commit', 129);
  if (options.has('amend') && options.value('author') !== undefined)
    throw new GitEnd('error: --amend keeps the author here, so --author has no place beside it', 129);
  const repository = await openRepository(call.fs);
  const before = await headCommit(repository);
  if (options.has('amend') && before === undefined) throw new GitEnd('fatal: You have nothing to amend.', 128);
  if (options.has('all')) await stagePaths(repository, [''], { trackedOnly: true, signal: call.signal });
  const message = await messageOf(repository, call, options, before);
  const parent = options.has('amend') && before !== undefined ? (await git.readCommit({ ...repository, oid: before })).commit.parent[0] : before;
  if (!options.has('allow-empty') && !options.has('amend') && (await compare(repository, { kind: 'head-index' })).length === 0)
    return said(longStatus(await readFacts(repository, call, [''])), '', 1);
  const { id, branch } = await commitIndex(repository, {
    message,
    author: await signerOf(repository, call, options.value('author')),
    atSeconds: Math.floor(call.now() / 1000),
    amend: options.has('amend'),
    allowEmpty: options.has('allow-empty'),
  });
  if (options.has('quiet')) return said('');
  const changes = joinRenames(await compare(repository, { kind: 'commits', before: parent, after: id }));
  const place = `${branch ?? 'detached HEAD'}${parent === undefined ? ' (root-commit)' : ''}`;
  const lines = [
    `[${place} ${id.slice(0, 7)}] ${message.trim().split('\n', 1)[0] ?? ''}`,
    ...(changes.length === 0 ? [] : [shortStat(changes), ...modeLines(changes)]),
  ];
  return said(`${lines.join('\n')}\n`);
};

async function messageOf(repository: Repository, call: GitCall, options: ReadOptions, before: string | undefined): Promise<string> {
  const file = options.value('file');
  if (file === '-') return call.stdin;
  if (file !== undefined) {
    try {
      return decodeUtf8(await call.fs.readFile(typedPath(call, file)));
    } catch {
      throw new GitEnd(`fatal: could not read log file '${file}': No such file or directory`, 128);
    }
  }
  const paragraphs = options.all('message');
  if (paragraphs.length > 0) {
    const message = paragraphs.join('\n\n');
    if (message.trim() === '') throw new GitEnd('Aborting commit due to empty commit message.', 1);
    return message;
  }
  if (options.has('amend') && before !== undefined) return (await git.readCommit({ ...repository, oid: before })).commit.message;
  throw new GitEnd('error: there is no editor here. Give the message with -m: git commit -m "What changed and why"', 1);
}

async function signerOf(repository: Repository, call: GitCall, typed: string | undefined): Promise<CommitAuthor> {
  const written = typed === undefined ? undefined : /^\s*(.*?)\s*<([^>]*)>\s*$/.exec(typed);
  if (written === null) throw new GitEnd(`fatal: --author '${typed}' is not 'Name <email>'`, 128);
  if (written !== undefined) return { name: written[1] as string, email: written[2] as string };
  const own = await authorOf(repository, call.author);
  return {
    name: call.env.GIT_AUTHOR_NAME ?? call.config.get('user.name') ?? own.name,
    email: call.env.GIT_AUTHOR_EMAIL ?? call.config.get('user.email') ?? own.email,
  };
}
