import type { RuntimeFile } from '@/lib/contracts/runtime';
import { encodeUtf8 } from '@/lib/shared/bytes';

export interface TextFile {
  /** Workspace-relative, `/`-separated. */
  readonly path: string;
  readonly text: string;
}

/** One commit of a starter workspace, made when it is first opened. */
export interface StarterCommit {
  readonly message: string;
  /** What this commit writes over the one before it; left out = every file of the workspace as it is handed over. */
  readonly files?: readonly TextFile[];
}

/** What a task starts from: the files as the person finds them, and how they came to be. */
export interface StarterWorkspace {
  /** Kebab-case; also the name of the project folder a person sees. */
  readonly name: string;
  /** Sorted by path. */
  readonly files: readonly TextFile[];
  /** Oldest first; the last one leaves the tree equal to `files`. */
  readonly history: readonly StarterCommit[];
}

/** The files of a starter workspace as a runtime mounts them. */
export function runtimeFiles(files: readonly TextFile[]): readonly RuntimeFile[] {
  return files.map((file) => ({ path: file.path, bytes: encodeUtf8(file.text) }));
}

/** The text of one file of a workspace. Throws when the workspace has no such file: a slip of ours, not of the person's. */
export function starterText(workspace: StarterWorkspace, path: string): string {
  const file = workspace.files.find((candidate) => candidate.path === path);
  if (file === undefined) throw new Error(`the starter workspace ${workspace.name} has no file ${path}`);
  return file.text;
}
