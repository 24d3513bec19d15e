import { codeOf } from '@/lib/shared/coded-error';

const KNOWN: Readonly<Record<string, readonly [code: string, errno: number, text: string]>> = {
  'not-found': ['ENOENT', -2, 'no such file or directory'],
  'is-directory': ['EISDIR', -21, 'illegal operation on a directory'],
  'not-a-directory': ['ENOTDIR', -20, 'not a directory'],
  'not-empty': ['ENOTEMPTY', -39, 'directory not empty'],
  'already-exists': ['EEXIST', -17, 'file already exists'],
  'path-escape': ['EACCES', -13, 'permission denied'],
  'not-permitted': ['EPERM', -1, 'operation not permitted'],
  'bad-descriptor': ['EBADF', -9, 'bad file descriptor'],
  'would-block': ['EAGAIN', -11, 'resource temporarily unavailable'],
};

/** A system error as Node words it. `code` is one of ours. */
export function systemError(code: string, syscall: string, path?: string, dest?: string): Error {
  const [name, errno, text] = KNOWN[code] ?? ['EIO', -5, 'i/o error'];
  const where = path === undefined ? '' : ` '${path}'${dest === undefined ? '' : ` -> '${dest}'`}`;
  return Object.assign(new Error(`${name}: ${text}, ${syscall}${where}`), {
    errno,
    code: name,
    syscall,
    ...(path !== undefined && { path }),
    ...(dest !== undefined && { dest }),
  });
}

/** Runs a file operation; its failure becomes a system error. */
export function withSystemErrors<T>(syscall: string, path: string, act: () => T, dest?: string): T {
  try {
    return act();
  } catch (error) {
    const code = codeOf(error);
    if (code !== undefined && code in KNOWN) throw systemError(code, syscall, path, dest);
    throw error;
  }
}

/** An argument of the wrong type, as Node words it. */
export function argumentError(name: string, expected: string, value: unknown): TypeError {
  const received =
    value === null || value === undefined
      ? String(value)
      : typeof value === 'function'
        ? `function ${value.name}`
        : typeof value === 'object'
          ? `an instance of ${value.constructor?.name ?? 'Object'}`
          : `type ${typeof value} (${typeof value === 'string' ? `'${value}'` : String(value)})`;
  return Object.assign(new TypeError(`The "${name}" argument must be of type ${expected}. Received ${received}`), { code: 'ERR_INVALID_ARG_TYPE' });
}
