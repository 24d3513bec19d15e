import { resolveAbsolute } from '@/lib/runtime/embedded/program-path';
import type { SyncFiles } from '@/lib/runtime/embedded/sync-files';

/** Source: the files that `node --test` takes by itself, with TypeScript's endings. */
const BY_NAME = /(?:^|\/)(?:test|test-[^/]+|[^/]+[.\-_]test)\.[cm]?[jt]s$/;
const IN_TEST_FOLDER = /(?:^|\/)test\/(?:.*\/)?[^/]+\.[cm]?[jt]s$/;

/**
 * The test files that the words after `node --test` name: files, folders and globs; none = all below `cwd`.
 *
 * Fails  when a word names nothing.
 */
export function findTests(files: SyncFiles, cwd: string, words: readonly string[]): readonly string[] {
  const isTest = (path: string): boolean => (BY_NAME.test(path) || IN_TEST_FOLDER.test(path)) && !/\.d\.[cm]?ts$/.test(path);
  if (words.length === 0) return filesBelow(files, cwd).filter((path) => isTest(path.slice(cwd.length + 1)));
  const found = words.flatMap((word) => {
    const path = resolveAbsolute(cwd, word);
    const state = files.stat(path);
    if (state?.kind === 'file') return [path];
    if (state)
      return filesBelow(files, path).filter(
        (file) => /\.[cm]?[jt]s$/.test(file) && (isTest(file.slice(cwd.length + 1)) || isTest(file.slice(path.length + 1))),
      );
    const matches = /[*?{[]/.test(word) ? filesBelow(files, cwd).filter(globMatcher(path)) : [];
    if (matches.length === 0) throw new Error(`Could not find '${path}'`);
    return matches;
  });
  return [...new Set(found)];
}

function filesBelow(files: SyncFiles, folder: string): readonly string[] {
  return files.readdir(folder).flatMap(({ name, kind }) => {
    const path = `${folder === '/' ? '' : folder}/${name}`;
    if (kind === 'file') return [path];
    return name === 'node_modules' || name === '.git' ? [] : filesBelow(files, path);
  });
}

function globMatcher(glob: string): (path: string) => boolean {
  let source = '';
  let braces = 0;
  for (let i = 0; i < glob.length; i++) {
    const char = glob[i] as string;
    if (glob.startsWith('**/', i)) {
      source += '(?:.*/)?';
      i += 2;
    } else if (char === '*') {
      if (glob[i + 1] === '*') i++;
      source += glob[i - 1] === '*' ? '.*' : '[^/]*';
    } else if (char === '?') source += '[^/]';
    else if (char === '{') {
      braces++;
      source += '(?:';
    } else if (char === '}' && braces > 0) {
      braces--;
      source += ')';
    } else if (char === ',' && braces > 0) source += '|';
    else if (char === '[' || char === ']') source += char;
    else source += char.replace(/[\\^$.|+()]/g, '\\$&');
  }
  const expression = new RegExp(`^${source}$`);
  return (path) => expression.test(path);
}
