import type { DirectoryEntry } from '@/lib/contracts/runtime';

export interface FileState {
  readonly kind: 'file' | 'directory';
  /** Bytes; 0 for a directory. */
  readonly size: number;
  readonly modifiedAtMs: number;
  /** Permission bits, such as 0o644. */
  readonly mode: number;
}

/**
 * Files as programs see them, synchronously, by absolute normal paths.
 * Failures are CodedErrors: `not-found`, `is-directory`, `not-a-directory`, `not-empty`, `already-exists`, `path-escape` (outside
 * the folders that programs may write).
 */
export interface SyncFiles {
  /** The bytes themselves, not a copy: callers do not change them. */
  readFile(path: string): Uint8Array;
  /** The parent folder must exist. */
  writeFile(path: string, bytes: Uint8Array): void;
  appendFile(path: string, bytes: Uint8Array): void;
  stat(path: string): FileState | undefined;
  readdir(path: string): readonly DirectoryEntry[];
  mkdir(path: string, recursive: boolean): void;
  rm(path: string, options: { readonly recursive: boolean; readonly force: boolean }): void;
  rename(from: string, to: string): void;
  chmod(path: string, mode: number): void;
  utimes(path: string, modifiedAtMs: number): void;
}

/** One operation as data, for the way across a worker boundary. */
export type FileCall = { [Op in keyof SyncFiles]: { readonly op: Op; readonly args: Parameters<SyncFiles[Op]> } }[keyof SyncFiles];

/** Carries out `call` on `files`. Fails as the operation does. */
export function runFileCall(files: SyncFiles, call: FileCall): unknown {
  return (files[call.op] as (...args: readonly unknown[]) => unknown).apply(files, call.args);
}
