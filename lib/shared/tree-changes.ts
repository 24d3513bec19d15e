import { diffText } from './file-change';

/** What one file of a tree was and becomes; null = it is not there. */
export interface TreeFile {
  readonly path: string;
  readonly before: Uint8Array | null;
  readonly after: Uint8Array | null;
}

/** Files whose contents are shown; of larger trees only the paths are. */
const SHOWN_FILES = 20;

/** The changes of a whole tree for people: with contents while it is small. */
export function treeChanges(files: readonly TreeFile[]): readonly { readonly path: string; readonly before?: string | null; readonly after?: string | null }[] {
  const shows = files.length <= SHOWN_FILES;
  const side = (bytes: Uint8Array | null) => (bytes === null || shows ? diffText(bytes) : undefined);
  return files
    .map(({ path, before, after }) => ({ path, before: side(before), after: side(after) }))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
    .map(({ path, before, after }) => ({ path, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) }));
}
