import { CodedError } from '@/lib/shared/coded-error';

/** Where programs see the workspace; the `Runtime` surface never shows this prefix. */
export const WORKSPACE_ROOT = '/workspace';

/** Scratch space of programs: shared by them, not part of the workspace, not kept. */
export const SCRATCH_ROOT = '/tmp';

/**
 * The normal form of a workspace-relative path.
 *
 * Out    segments joined by `/`, without `.`, `..` or empty ones; '' is the root.
 * Fails  `path-escape` for an absolute path, one that leaves the workspace, or one with a NUL.
 */
export function normaliseWorkspacePath(path: string): string {
  if (path.startsWith('/')) throw pathEscape(path, 'paths are relative to the workspace root');
  if (path.includes('\0')) throw pathEscape(path, 'a path cannot contain NUL');
  const kept: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') kept.push(segment);
    else if (kept.pop() === undefined) throw pathEscape(path, 'it leaves the workspace');
  }
  return kept.join('/');
}

/** The path under which programs see a workspace-relative path. Fails `path-escape`. */
export function toProgramPath(path: string): string {
  const normal = normaliseWorkspacePath(path);
  return normal === '' ? WORKSPACE_ROOT : `${WORKSPACE_ROOT}/${normal}`;
}

/** The workspace-relative form of a program's absolute path; undefined when it lies outside the workspace. */
export function fromProgramPath(path: string): string | undefined {
  if (path === WORKSPACE_ROOT) return '';
  return path.startsWith(`${WORKSPACE_ROOT}/`) ? path.slice(WORKSPACE_ROOT.length + 1) : undefined;
}

/** An absolute, normal path from `path` as seen in the folder `base`; `..` at the top stays at the top, as in POSIX. */
export function resolveAbsolute(base: string, path: string): string {
  const kept: string[] = [];
  for (const segment of (path.startsWith('/') ? path : `${base}/${path}`).split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment === '..') kept.pop();
    else kept.push(segment);
  }
  return `/${kept.join('/')}`;
}

function pathEscape(path: string, why: string): CodedError<'path-escape'> {
  return new CodedError('path-escape', `${JSON.stringify(path)} is refused: ${why}.`);
}
