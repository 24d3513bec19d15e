import { CodedError } from '@/lib/shared/coded-error';
import { resolveSegments, WORKSPACE_ROOT as root } from '@/lib/shared/workspace-path';

/** Where programs see the workspace; the `Runtime` surface never shows this prefix. */
export const WORKSPACE_ROOT = root;

/** Scratch space of programs: shared by them, not part of the workspace, not kept. */
export const SCRATCH_ROOT = '/tmp';

/**
 * The normal form of a workspace-relative path of a program: any name goes that a file can have, also `C:`.
 *
 * Out    segments joined by `/`, without `.`, `..` or empty ones; '' is the root.
 * Fails  `path-escape` for an absolute path, one that leaves the workspace, or one with a NUL.
 */
export function normalRuntimePath(path: string): string {
  if (path.startsWith('/')) throw pathEscape(path, 'paths are relative to the workspace root');
  if (path.includes('\0')) throw pathEscape(path, 'a path cannot contain NUL');
  const { segments, climbs } = resolveSegments(path);
  if (climbs) throw pathEscape(path, 'it leaves the workspace');
  return segments.join('/');
}

/** The path under which programs see a workspace-relative path. Fails `path-escape`. */
export function toProgramPath(path: string): string {
  const normal = normalRuntimePath(path);
  return normal === '' ? WORKSPACE_ROOT : `${WORKSPACE_ROOT}/${normal}`;
}

/** The workspace-relative form of a program's absolute path; undefined when it lies outside the workspace. */
export function fromProgramPath(path: string): string | undefined {
  if (path === WORKSPACE_ROOT) return '';
  return path.startsWith(`${WORKSPACE_ROOT}/`) ? path.slice(WORKSPACE_ROOT.length + 1) : undefined;
}

/** An absolute, normal path from `path` as seen in the folder `base`; `..` at the top stays at the top, as in POSIX. */
export function resolveAbsolute(base: string, path: string): string {
  return `/${resolveSegments(path.startsWith('/') ? path : `${base}/${path}`).segments.join('/')}`;
}

function pathEscape(path: string, why: string): CodedError<'path-escape'> {
  return new CodedError('path-escape', `${JSON.stringify(path)} is refused: ${why}.`);
}
