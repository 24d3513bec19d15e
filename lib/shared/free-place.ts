import { CodedError } from './coded-error';
import { missingPathMessage } from './missing-path';
import { baseName, joinPath } from './workspace-path';

/** What has to be known of a workspace to find a source and a place for it. */
export interface Places {
  stat(path: string): Promise<{ readonly kind: 'file' | 'directory' } | undefined>;
  listFiles(options: { readonly includeHidden: true }): Promise<readonly string[]>;
}

/**
 * What stands at `path`.
 *
 * Fails  CodedError `not-found`, naming paths that may have been meant.
 */
export async function requirePresent(path: string, files: Places): Promise<{ readonly kind: 'file' | 'directory' }> {
  const stat = await files.stat(path);
  if (stat === undefined) throw new CodedError('not-found', missingPathMessage(path, await files.listFiles({ includeHidden: true })));
  return stat;
}

/**
 * Makes sure that nothing stands at `to` and that no file is in its way.
 *
 * In     `verb`: what would be done with `from`, by the tool `tool`.
 * Fails  CodedError `already-exists` or `not-a-directory`, which says what to send instead.
 */
export async function requireFree(
  from: string,
  to: string,
  { tool, verb }: { readonly tool: string; readonly verb: 'copy' | 'move' },
  files: Places,
): Promise<void> {
  const done = verb === 'copy' ? 'copied' : 'moved';
  const there = await files.stat(to);
  if (there?.kind === 'directory')
    throw new CodedError(
      'already-exists',
      `${to === '' ? 'The root' : to} is a folder that is there already; nothing was ${done}. To ${verb} into it send to="${joinPath(to, baseName(from))}".`,
    );
  if (there !== undefined)
    throw new CodedError('already-exists', `${to} is there already, and ${tool} overwrites nothing. Choose another name, or delete it first.`);
  for (let slash = to.indexOf('/'); slash !== -1; slash = to.indexOf('/', slash + 1)) {
    const folder = to.slice(0, slash);
    if ((await files.stat(folder))?.kind === 'file') throw new CodedError('not-a-directory', `${folder} is a file, so nothing can be ${done} below it.`);
  }
}
