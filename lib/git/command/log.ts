import git from 'isomorphic-git';
import type { GitCommit } from '@/lib/contracts/git';
import { compare } from '@/lib/git/compare';
import { commitOf, readHistory, resolveCommit } from '@/lib/git/history';
import { currentBranch, headCommit, openRepository, type Repository } from '@/lib/git/repository';
import { splitWords } from './diff';
import { fatal, type GitCommand, GitEnd, said } from './git-call';
import { type ReadOptions, readOptions } from './options';
import { changeFlags, changeValues, showChanges } from './show-changes';

const formats = { '--format': 'format', '--pretty': 'format' } as const;
const shows = ['patch', 'stat', 'shortstat', 'numstat', 'name-only', 'name-status'];

export const gitLog: GitCommand = async (call) => {
  const options = readOptions('log', call.args, {
    flags: {
      ...changeFlags,
      '--oneline': 'oneline',
      '--reverse': 'reverse',
      '--no-decorate': 'plain',
      '--no-merges': 'no-merges',
      '--abbrev-commit': 'abbrev',
    },
    values: { ...changeValues, ...formats, '-n': 'count', '--max-count': 'count', '-<number>': 'count', '--author': 'author', '--grep': 'grep' },
  });
  const repository = await openRepository(call.fs);
  if ((await headCommit(repository)) === undefined)
    throw fatal(`your current branch '${(await currentBranch(repository)) ?? 'main'}' does not have any commits yet`);
  const { revisions, paths } = await splitWords(repository, call, options);
  if (revisions.length > 1) throw fatal('git log takes one commit or range here');
  const [from, range] = rangeOf(revisions[0]);
  const limit = Number(options.value('count') ?? Number.POSITIVE_INFINITY);
  const excluded =
    range === undefined
      ? new Set<string>()
      : new Set((await readHistory(repository, { limit: Number.POSITIVE_INFINITY, ref: range })).map((commit) => commit.id));
  const all = await readHistory(repository, {
    limit: narrows(options) || excluded.size > 0 ? Number.POSITIVE_INFINITY : limit,
    ref: from,
    paths: paths.filter((path) => path !== ''),
  });
  const kept = all.filter((commit) => !excluded.has(commit.id) && isWanted(commit, options)).slice(0, limit);
  if (options.has('reverse')) kept.reverse();
  const blocks: string[] = [];
  for (const commit of kept) blocks.push(await showCommit(repository, commit, options, paths));
  const joined = options.has('oneline') || options.value('format') !== undefined ? blocks.join('') : blocks.join('\n');
  return said(joined);
};

export const gitShow: GitCommand = async (call) => {
  const options = readOptions('show', call.args, {
    flags: { ...changeFlags, '--oneline': 'oneline', '-s': 'no-patch', '--no-patch': 'no-patch' },
    values: { ...changeValues, ...formats },
  });
  const [word = 'HEAD', ...rest] = options.words;
  if (rest.length > 0) throw fatal('git show takes one commit here');
  const repository = await openRepository(call.fs);
  const at = word.indexOf(':');
  if (at > 0) {
    const oid = await resolveCommit(repository, word.slice(0, at));
    try {
      const { blob } = await git.readBlob({ ...repository, oid, filepath: word.slice(at + 1) });
      return said(new TextDecoder().decode(blob));
    } catch {
      throw fatal(`path '${word.slice(at + 1)}' does not exist in '${word.slice(0, at)}'`);
    }
  }
  const commit = commitOf(await git.readCommit({ ...repository, oid: await resolveCommit(repository, word) }));
  const head = formatCommit(commit, options);
  if (options.has('no-patch')) return said(head);
  const changes = await compare(repository, { kind: 'commits', before: commit.parents[0], after: commit.id });
  const body = commit.parents.length > 1 ? '' : showChanges(changes, options);
  return said(body === '' ? head : options.has('oneline') ? head + body : `${head}\n${body}`);
};

function rangeOf(word: string | undefined): readonly [string, string | undefined] {
  const dots = word === undefined ? null : /^(.*?)\.\.(.*)$/.exec(word);
  return dots === null ? [word ?? 'HEAD', undefined] : [dots[2] || 'HEAD', dots[1] || 'HEAD'];
}

function narrows(options: ReadOptions): boolean {
  return options.value('author') !== undefined || options.value('grep') !== undefined || options.has('no-merges');
}

function isWanted(commit: GitCommit, options: ReadOptions): boolean {
  const [author, grep] = [options.value('author'), options.value('grep')];
  if (options.has('no-merges') && commit.parents.length > 1) return false;
  return (author === undefined || `${commit.author.name} <${commit.author.email}>`.includes(author)) && (grep === undefined || commit.message.includes(grep));
}

async function showCommit(repository: Repository, commit: GitCommit, options: ReadOptions, paths: readonly string[]): Promise<string> {
  const head = formatCommit(commit, options);
  if (!shows.some((name) => options.has(name)) || commit.parents.length > 1) return head;
  const changes = await compare(repository, { kind: 'commits', before: commit.parents[0], after: commit.id }, paths.length === 0 ? [''] : paths);
  const body = showChanges(changes, options);
  return body === '' ? head : options.has('oneline') ? head + body : `${head}\n${body}`;
}

function formatCommit(commit: GitCommit, options: ReadOptions): string {
  const format = options.has('oneline') ? 'oneline-short' : options.value('format');
  const subject = commit.message.split('\n', 1)[0] ?? '';
  switch (format) {
    case 'oneline-short':
      return `${commit.id.slice(0, 7)} ${subject}\n`;
    case 'oneline':
      return `${options.has('abbrev') ? commit.id.slice(0, 7) : commit.id} ${subject}\n`;
    case undefined:
    case 'medium':
      return mediumText(commit, options.has('abbrev'));
    default: {
      const pattern = /^t?format:(.*)$/s.exec(format)?.[1] ?? (format.includes('%') ? format : undefined);
      if (pattern === undefined) throw new GitEnd(`fatal: invalid --pretty format: ${format} (there are oneline, medium and format:…)`, 128);
      return `${fill(pattern, commit)}\n`;
    }
  }
}

function mediumText(commit: GitCommit, abbrev: boolean): string {
  const merge = commit.parents.length > 1 ? `Merge: ${commit.parents.map((id) => id.slice(0, 7)).join(' ')}\n` : '';
  const body = commit.message.split('\n').map((line) => `    ${line}`);
  return `commit ${abbrev ? commit.id.slice(0, 7) : commit.id}\n${merge}Author: ${commit.author.name} <${commit.author.email}>\nDate:   ${gitDate(commit)}\n\n${body.join('\n')}\n`;
}

const placeholders: Readonly<Record<string, (commit: GitCommit) => string>> = {
  H: ({ id }) => id,
  h: ({ id }) => id.slice(0, 7),
  P: ({ parents }) => parents.join(' '),
  p: ({ parents }) => parents.map((id) => id.slice(0, 7)).join(' '),
  s: ({ message }) => message.split('\n', 1)[0] ?? '',
  b: ({ message }) => message.split('\n').slice(1).join('\n').replace(/^\n+/, ''),
  B: ({ message }) => message,
  n: () => '\n',
  '%': () => '%',
  an: ({ author }) => author.name,
  ae: ({ author }) => author.email,
  ad: (commit) => gitDate(commit),
  at: ({ atSeconds }) => `${atSeconds}`,
  as: (commit) => isoDate(commit).slice(0, 10),
  ai: (commit) => isoDate(commit),
  d: () => '',
  D: () => '',
};

function fill(pattern: string, commit: GitCommit): string {
  return pattern.replace(/%(a[nedtsi]|c[neds]|C\([^)]*\)|C[a-z]+|[HhPpsbBndD%])/g, (whole, key: string) => {
    if (key.startsWith('C')) return '';
    // The committer is the author here.
    return placeholders[key.replace(/^c/, 'a')]?.(commit) ?? whole;
  });
}

const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const two = (value: number): string => `${value}`.padStart(2, '0');

function local({ atSeconds, timezoneOffset }: GitCommit): { readonly date: Date; readonly zone: string } {
  const minutes = Math.abs(timezoneOffset);
  const zone = `${timezoneOffset > 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}${two(minutes % 60)}`;
  return { date: new Date((atSeconds - timezoneOffset * 60) * 1000), zone };
}

function gitDate(commit: GitCommit): string {
  const { date, zone } = local(commit);
  return `${days[date.getUTCDay()]} ${months[date.getUTCMonth()]} ${date.getUTCDate()} ${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())} ${date.getUTCFullYear()} ${zone}`;
}

function isoDate(commit: GitCommit): string {
  const { date, zone } = local(commit);
  return `${date.toISOString().slice(0, 19).replace('T', ' ')} ${zone}`;
}
