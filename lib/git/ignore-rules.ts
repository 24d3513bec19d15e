import ignore, { type Ignore } from 'ignore';
import { decodeUtf8 } from '@/lib/shared/bytes';
import { boundedIgnoreLines } from '@/lib/shared/ignore-lines';
import type { Repository } from './repository';

/**
 * What `.gitignore` files and `.git/info/exclude` leave out, each read once.
 *
 * Out    answers for one path, whose parent folders are not ignored; the file nearest to it that says something decides.
 */
export function createIgnoreRules(repository: Repository): (path: string, isFolder: boolean) => Promise<boolean> {
  const known = new Map<string, Promise<Ignore | undefined>>();
  const read = (file: string): Promise<Ignore | undefined> => {
    const found = known.get(file) ?? readRules(repository, file);
    known.set(file, found);
    return found;
  };
  return async (path, isFolder) => {
    const segments = path.split('/');
    // The history itself, also that of a repository inside.
    if (segments.at(-1) === '.git') return true;
    for (let depth = segments.length - 1; depth >= 0; depth--) {
      const folder = segments.slice(0, depth).join('/');
      const rules = await read(folder === '' ? '.gitignore' : `${folder}/.gitignore`);
      const verdict = verdictOf(rules, segments.slice(depth).join('/'), isFolder);
      if (verdict !== undefined) return verdict;
    }
    return verdictOf(await read('.git/info/exclude'), path, isFolder) ?? false;
  };
}

function verdictOf(rules: Ignore | undefined, path: string, isFolder: boolean): boolean | undefined {
  if (rules === undefined) return undefined;
  const { ignored, unignored } = rules.test(isFolder ? `${path}/` : path);
  return ignored ? true : unignored ? false : undefined;
}

async function readRules(repository: Repository, file: string): Promise<Ignore | undefined> {
  try {
    const content = await repository.fs.promises.readFile(`/${file}`);
    return ignore().add(boundedIgnoreLines(typeof content === 'string' ? content : decodeUtf8(content)));
  } catch {
    return undefined;
  }
}
