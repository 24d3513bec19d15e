import { quotePath } from '@/lib/shared/unified-diff';
import { fatal, type GitCall } from './git-call';

/** The workspace-relative form of a path as it was typed: '' is the root. Fails `fatal` for one outside of the workspace. */
export function typedPath(call: Pick<GitCall, 'cwd' | 'root'>, typed: string): string {
  const kept: string[] = [];
  for (const segment of (typed.startsWith('/') ? typed : `${call.cwd}/${typed}`).split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment === '..') kept.pop();
    else kept.push(segment);
  }
  const absolute = `/${kept.join('/')}`;
  if (absolute === call.root) return '';
  if (!absolute.startsWith(`${call.root}/`)) throw fatal(`${typed}: '${typed}' is outside repository at '${call.root}'`);
  return absolute.slice(call.root.length + 1);
}

/** A workspace-relative path as seen from where the command was typed. */
export function shownFrom(call: Pick<GitCall, 'cwd' | 'root'>, path: string): string {
  const here = call.cwd === call.root ? [] : call.cwd.slice(call.root.length + 1).split('/');
  const there = path.split('/');
  let shared = 0;
  while (shared < here.length && shared < there.length - 1 && here[shared] === there[shared]) shared++;
  const shown = [...here.slice(shared).map(() => '..'), ...there.slice(shared)].join('/');
  return shown === '' ? './' : shown;
}

/** As `quotePath`, in quotes also where it holds a space: for lists that put several things on a line. */
export function quoteSpaced(path: string): string {
  const quoted = quotePath(path);
  return quoted === path && path.includes(' ') ? `"${path}"` : quoted;
}
