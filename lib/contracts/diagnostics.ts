/** One problem of a file; line and column are 1-based. */
export interface Diagnostic {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly severity: 'error' | 'warning';
  /** `TS2322`, `JSON`. */
  readonly code: string;
  readonly message: string;
}

export interface DiagnosticsReport {
  /** Files that were looked at. */
  readonly checked: readonly string[];
  /** In the order of the files, each from its beginning. */
  readonly found: readonly Diagnostic[];
  /** What was not looked at and why, in words. */
  readonly leftOut?: string;
}

/** Knows the languages of a workspace; works off the engine's thread and is loaded when first asked. */
export interface LanguagePort {
  /**
   * Looks at files as they are now; without paths at every file that it knows how to read.
   *
   * Fails  CodedError `not-available` when its worker cannot run, `cancelled` when `signal` aborts.
   */
  check(paths: readonly string[] | undefined, signal?: AbortSignal): Promise<DiagnosticsReport>;
  /** Reads the workspace ahead, since these files are about to be asked for; says nothing, whatever happens. */
  warm(paths: readonly string[]): void;
  /** True for a file that it knows how to read, by its name. */
  knows(path: string): boolean;
  dispose(): void;
}
