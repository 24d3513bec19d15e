import { similarPaths } from './fuzzy';

/** Says that `path` is not there and which of `existing` may have been meant. */
export function missingPathMessage(path: string, existing: readonly string[]): string {
  const similar = similarPaths(path, existing, 5);
  const hint = similar.length > 0 ? `Did you mean: ${similar.join(', ')}?` : 'Call file_search with part of its name, or list_dir, to find it.';
  return `There is no file "${path}" in the workspace. ${hint}`;
}
