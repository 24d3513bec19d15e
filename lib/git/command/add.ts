import { openRepository } from '@/lib/git/repository';
import { stagePaths } from '@/lib/git/stage';
import { quotePath } from '@/lib/shared/unified-diff';
import { type GitCommand, GitEnd, said } from './git-call';
import { readOptions } from './options';
import { typedPath } from './paths';

export const gitAdd: GitCommand = async (call) => {
  const options = readOptions('add', call.args, {
    flags: {
      '-A': 'all',
      '--all': 'all',
      '-u': 'update',
      '--update': 'update',
      '-v': 'verbose',
      '--verbose': 'verbose',
      '-f': 'force',
      '--force': 'force',
      '-n': 'dry',
      '--dry-run': 'dry',
    },
  });
  if (options.has('force')) throw new GitEnd('error: git add --force is not there: what .gitignore ignores stays out', 129);
  if (options.has('dry')) throw new GitEnd('error: git add --dry-run is not there: git status -s shows what would be added', 129);
  const words = [...options.words, ...(options.paths ?? [])];
  if (words.length === 0 && !options.has('all') && !options.has('update'))
    return said('', "Nothing specified, nothing added.\nhint: Maybe you wanted to say 'git add .'?\n");
  const paths = words.length === 0 ? [''] : words.map((word) => typedPath(call, word));
  const staged = await stagePaths(await openRepository(call.fs), paths, { trackedOnly: options.has('update'), signal: call.signal });
  return said(options.has('verbose') ? staged.map(({ path, index }) => `${index === 'deleted' ? 'remove' : 'add'} '${quotePath(path)}'\n`).join('') : '');
};
