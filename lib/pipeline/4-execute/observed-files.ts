import type { ReadFiles } from '@/lib/contracts/tool-context';
import { fingerprintBytes } from '@/lib/shared/fingerprint-bytes';

/** Which files the model has seen, and as they were: the memory behind read-before-write. One per session. */
export interface ObservedFiles {
  /** Remembers these files as they are now; folders and absent paths are passed over. Called while the lock is still held. */
  note(paths: readonly string[]): Promise<void>;
  /** Why these paths may not be written, or undefined when they may: each is new, or was seen as it still is. */
  refusal(tool: string, paths: readonly string[]): Promise<string | undefined>;
}

/**
 * Makes the memory of seen files.
 *
 * In     `before`: what was seen before the session was reopened; `onNote` is told what is remembered, so that the log holds it.
 * Source governance 13: writing a file that was not read, or that changed since, is refused with the reason.
 */
export function createObservedFiles(
  files: ReadFiles,
  before: ReadonlyMap<string, string> = new Map(),
  onNote: (path: string, print: string | null) => void = () => {},
): ObservedFiles {
  const seen = new Map(before);
  const current = async (path: string): Promise<string | undefined> => {
    try {
      const stat = await files.stat(path);
      return stat?.kind === 'file' ? fingerprintBytes(await files.readBytes(path)) : undefined;
    } catch {
      // A path that cannot be read (outside the workspace, gone meanwhile) is the tool's own error to tell.
      return undefined;
    }
  };
  return {
    async note(paths) {
      for (const path of paths) {
        const print = await current(path);
        const known = seen.has(path);
        if (print === undefined) seen.delete(path);
        else seen.set(path, print);
        if (print !== undefined || known) onNote(path, print ?? null);
      }
    },
    async refusal(tool, paths) {
      for (const path of paths) {
        const print = await current(path);
        if (print === undefined) continue;
        const known = seen.get(path);
        if (known === undefined)
          return `${tool} was not executed: ${path} exists and was not read in this session. Nothing was changed. Call read_file on ${path} first, then send the change again.`;
        if (known !== print)
          return `${tool} was not executed: ${path} changed since it was read. Nothing was changed. Call read_file on ${path} again, then send a change that fits what is there now.`;
      }
      return undefined;
    },
  };
}
