import { readFileSync } from 'node:fs';
import path from 'node:path';
import { codeOf, messageOf } from '@/lib/shared/coded-error';

/** A file that a person named on the command line: npm runs a script in the project's folder, names are those of where it was called. */
export function namedPlace(name: string): string {
  return path.resolve(process.env.INIT_CWD ?? process.cwd(), name);
}

/**
 * Reads the text of a file that a person named.
 *
 * Fails  an Error whose message is a sentence about the name as it was given.
 */
export function readNamedFile(name: string, file = namedPlace(name)): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') throw new Error(`There is no file ${name}.`);
    if (code === 'EISDIR') throw new Error(`${name} is a folder; the name of a file is wanted.`);
    throw new Error(`${name} cannot be read (${messageOf(error)}).`);
  }
}
