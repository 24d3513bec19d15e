import { existsSync, readdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import type { GivenFile } from '@/lib/conformance/gather-cases';
import { messageOf } from '@/lib/shared/coded-error';
import { readNamedFile } from '@/scripts/support/read-named-file';

/** Where the cases of a project stand: its own, and those beside it. */
export interface CaseFolders {
  readonly own: string;
  readonly shared: string;
}

/** The folders of cases of the project in `root`. */
export function caseFolders(root: string): CaseFolders {
  return { own: path.join(root, 'test/cases'), shared: path.resolve(root, '../shared/cases') };
}

/** Files that run when none is named: all below the own folder, and those of the shared one where it exists. */
export function defaultFiles({ own, shared }: CaseFolders): readonly string[] {
  const below = (folder: string): string[] =>
    readdirSync(folder, { withFileTypes: true })
      .flatMap((entry) => (entry.isDirectory() ? below(path.join(folder, entry.name)) : [path.join(folder, entry.name)]))
      .sort();
  const beside = existsSync(shared)
    ? readdirSync(shared)
        .sort()
        .map((name) => path.join(shared, name))
    : [];
  return [...below(own), ...beside].filter((file) => file.endsWith('.json'));
}

/** Reads the files, each once however often it is named; one that cannot be read carries the reason. Names are shown from `cwd`. */
export function readGiven(files: readonly string[], { own }: CaseFolders, cwd: string): readonly GivenFile[] {
  const given = new Map<string, GivenFile>();
  const ownRoot = existsSync(own) ? realpathSync(own) : own;
  for (const file of files) {
    const absolute = path.resolve(cwd, file);
    const real = existsSync(absolute) ? realpathSync(absolute) : absolute;
    const name = path.relative(cwd, absolute);
    if (!given.has(real)) given.set(real, { name, own: real.startsWith(ownRoot + path.sep), content: contentOf(name, real) });
  }
  return [...given.values()];
}

function contentOf(name: string, file: string): GivenFile['content'] {
  try {
    return { text: readNamedFile(name, file) };
  } catch (error) {
    return { fault: messageOf(error) };
  }
}
