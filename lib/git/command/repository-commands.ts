import git from 'isomorphic-git';
import { resolveCommit } from '@/lib/git/history';
import { currentBranch, headCommit, openRepository, readStates } from '@/lib/git/repository';
import { createGitFiles } from '@/lib/git/runtime-fs';
import { quotePath } from '@/lib/shared/unified-diff';
import { fatal, type GitCommand, GitEnd, said } from './git-call';
import { readOptions } from './options';
import { shownFrom, typedPath } from './paths';

export const gitInit: GitCommand = async (call) => {
  const options = readOptions('init', call.args, {
    flags: { '-q': 'quiet', '--quiet': 'quiet', '--bare': 'bare' },
    values: { '-b': 'branch', '--initial-branch': 'branch' },
  });
  if (options.has('bare')) throw fatal('a bare repository is not available here');
  const [folder] = options.words;
  if ((folder === undefined ? typedPath(call, '.') : typedPath(call, folder)) !== '')
    throw fatal(`there is one repository here, at the root of the workspace: run git init in ${call.root}`);
  const there = (await call.fs.stat('.git/HEAD')) !== undefined;
  if (!there) await git.init({ fs: createGitFiles(call.fs), dir: '/', defaultBranch: options.value('branch') ?? 'main' });
  return said(options.has('quiet') ? '' : `${there ? 'Reinitialized existing' : 'Initialized empty'} Git repository in ${call.root}/.git/\n`);
};

export const gitConfig: GitCommand = async (call) => {
  const options = readOptions('config', call.args, {
    flags: { '--global': 'wide', '--local': 'local', '--system': 'wide', '--get': 'get', '--unset': 'unset', '-l': 'list', '--list': 'list' },
  });
  const repository = await openRepository(call.fs);
  if (options.has('list')) throw new GitEnd('error: git config --list is not available here; ask for one name', 129);
  const [name, ...values] = options.words;
  if (name === undefined) throw new GitEnd('error: git config needs a name such as user.name', 2);
  if (!/^[A-Za-z0-9-]+(\..+)?\.[A-Za-z][A-Za-z0-9-]*$/.test(name)) throw new GitEnd(`error: key does not contain a section: ${name}`, 1);
  if (options.has('unset') || values.length > 0) {
    // There is no home that outlives the workspace: what is set for all stands in this repository.
    await git.setConfig({ ...repository, path: name, value: options.has('unset') ? undefined : values.join(' ') });
    return said('');
  }
  const value: unknown = await git.getConfig({ ...repository, path: name });
  return value === undefined ? said('', '', 1) : said(`${String(value)}\n`);
};

export const gitRevParse: GitCommand = async (call) => {
  const options = readOptions('rev-parse', call.args, {
    flags: {
      '--abbrev-ref': 'name',
      '--short': 'short',
      '--show-toplevel': 'top',
      '--is-inside-work-tree': 'inside',
      '--git-dir': 'dir',
      '--verify': 'verify',
      '-q': 'quiet',
      '--quiet': 'quiet',
      '--show-prefix': 'prefix',
    },
  });
  const repository = await openRepository(call.fs);
  const here = typedPath(call, '.');
  if (options.has('top')) return said(`${call.root}\n`);
  if (options.has('inside')) return said('true\n');
  if (options.has('dir')) return said(here === '' ? '.git\n' : `${call.root}/.git\n`);
  if (options.has('prefix')) return said(here === '' ? '\n' : `${here}/\n`);
  const lines: string[] = [];
  for (const word of options.words) {
    if (options.has('name') && (word === 'HEAD' || word === '@')) lines.push((await currentBranch(repository)) ?? 'HEAD');
    else {
      if (word === 'HEAD' && (await headCommit(repository)) === undefined) throw fatal('Needed a single revision');
      const id = await resolveCommit(repository, word);
      lines.push(options.has('name') ? word : options.has('short') ? id.slice(0, 7) : id);
    }
  }
  return said(lines.map((line) => `${line}\n`).join(''));
};

export const gitLsFiles: GitCommand = async (call) => {
  const options = readOptions('ls-files', call.args, {
    flags: {
      '-m': 'modified',
      '--modified': 'modified',
      '-o': 'others',
      '--others': 'others',
      '--exclude-standard': 'standard',
      '-c': 'cached',
      '--cached': 'cached',
      '-d': 'deleted',
      '--deleted': 'deleted',
    },
  });
  const typed = [...options.words, ...(options.paths ?? [])].map((word) => typedPath(call, word));
  const states = await readStates(await openRepository(call.fs), typed.length === 0 ? [typedPath(call, '.')] : typed);
  const kept = states.filter(({ index, work }) => {
    if (options.has('others')) return index === undefined && work !== undefined;
    if (options.has('modified')) return index !== undefined && work !== index;
    if (options.has('deleted')) return index !== undefined && work === undefined;
    return index !== undefined;
  });
  return said(kept.map(({ path }) => `${quotePath(shownFrom(call, path))}\n`).join(''));
};
