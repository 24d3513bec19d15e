/** How a file differs from the newest commit (`index`) and from the index (`work`); absent = it does not. */
export interface GitPathStatus {
  readonly path: string;
  readonly index?: 'added' | 'modified' | 'deleted' | 'renamed';
  /** With `renamed`: where it was. */
  readonly from?: string;
  readonly work?: 'modified' | 'deleted' | 'untracked';
}

export interface GitStatus {
  /** Absent = detached. */
  readonly branch?: string;
  /** Id of the newest commit; absent = there is none yet. */
  readonly head?: string;
  /** Sorted by path; ignored files are left out. */
  readonly paths: readonly GitPathStatus[];
}

/** One file on both sides of a comparison; null = it is not there. */
export interface GitFileChange {
  readonly path: string;
  readonly before: Uint8Array | null;
  readonly after: Uint8Array | null;
  /** Ids of the two contents as git has them. */
  readonly beforeId?: string;
  readonly afterId?: string;
}

export interface GitCommit {
  readonly id: string;
  readonly message: string;
  readonly author: { readonly name: string; readonly email: string };
  /** Seconds since the epoch. */
  readonly atSeconds: number;
  /** Minutes that the author's clock was behind UTC, as `Date.getTimezoneOffset` counts. */
  readonly timezoneOffset: number;
  readonly parents: readonly string[];
}

/**
 * The history of a workspace, without any server. Paths are workspace-relative; a folder stands for all that is in it.
 *
 * Fails  CodedError `not-available` where there is no repository, `invalid-input` for a path or name that git does not know.
 */
export interface GitPort {
  status(): Promise<GitStatus>;
  /** `staged`: newest commit against index; else index against the files (untracked ones are left out). Sorted by path. */
  diff(request: { readonly staged: boolean; readonly path?: string }): Promise<readonly GitFileChange[]>;
  /** Newest first. `path`: only commits that changed it. Empty where there is no commit yet. */
  log(request: { readonly limit: number; readonly path?: string }): Promise<readonly GitCommit[]>;
  /** Stages what differs in these paths, deletions too; '' is the whole workspace. Answers what was staged. */
  add(paths: readonly string[]): Promise<readonly GitPathStatus[]>;
  /** Commits the index. Rejects `execution-failed` when it holds nothing new. */
  commit(message: string): Promise<GitCommitted>;
}

export interface GitCommitted {
  readonly id: string;
  /** Absent = detached. */
  readonly branch?: string;
  readonly paths: readonly GitPathStatus[];
}
