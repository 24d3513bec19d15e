import { CodedError } from './coded-error';

/** The workspace's root as programs see it, and their home directory. */
export const WORKSPACE_ROOT = '/workspace';

/**
 * Why `path` cannot be a path of the workspace; undefined when it can.
 *
 * In     a path as a model wrote it; `.` and `..` are resolved from the workspace's root.
 * Out    a sentence that names the path and says what to send instead.
 */
export function workspacePathProblem(path: string): string | undefined {
  if (path.includes('\0')) return 'The path holds a NUL character. Send the plain path, relative to the workspace root.';
  if (path.startsWith('/') || /^[A-Za-z]:[\\/]/.test(path)) {
    // Programs see the workspace under this name, so stack traces and `pwd` teach it to models.
    const inside = /^\/workspace\/+([^/].*)$/.exec(path)?.[1];
    return `"${clip(path)}" is an absolute path. Paths are relative to the workspace root: ${inside === undefined ? 'for example "src/main.ts"; the root itself is "."' : `send "${clip(inside)}"`}.`;
  }
  return resolveSegments(path).climbs ? `"${clip(path)}" leaves the workspace. Only paths inside it can be used; the root is ".".` : undefined;
}

/**
 * The segments of a path with `.`, `..` and empty ones resolved.
 *
 * Out    `climbs`: a `..` stood where nothing was left to leave; it counts for nothing then.
 */
export function resolveSegments(path: string): { readonly segments: readonly string[]; readonly climbs: boolean } {
  const segments: string[] = [];
  let climbs = false;
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') segments.push(segment);
    else if (segments.pop() === undefined) climbs = true;
  }
  return { segments, climbs };
}

/**
 * The one spelling of a workspace path: no `.`, no `..`, no doubled or trailing slash; the root is ''.
 *
 * Fails  CodedError `path-escape` when the path is absolute, climbs out, or holds a NUL.
 */
export function normalizeWorkspacePath(path: string): string {
  const problem = workspacePathProblem(path);
  if (problem !== undefined) throw new CodedError('path-escape', problem);
  return resolveSegments(path).segments.join('/');
}

/** The one spelling of `path`, or `path` itself where it has none: for declarations that must not throw. */
export function spellPath(path: string): string {
  return workspacePathProblem(path) === undefined ? normalizeWorkspacePath(path) : path;
}

/** A tool's answer to a path that leaves the workspace; undefined when all are fine. */
export function pathEscapeError(...paths: readonly (string | undefined)[]): { readonly kind: 'path-escape'; readonly message: string } | undefined {
  for (const path of paths) {
    const message = path === undefined ? undefined : workspacePathProblem(path);
    if (message !== undefined) return { kind: 'path-escape', message };
  }
  return undefined;
}

/** A path for people: the root reads as `.`. */
export function shownPath(path: string): string {
  return path === '' ? '.' : path;
}

/** The part after the last slash. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** `name` inside the folder `folder` ('' = root). */
export function joinPath(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

function clip(path: string): string {
  return path.length > 200 ? `${path.slice(0, 200)}…` : path;
}
