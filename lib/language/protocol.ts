import type { DiagnosticsReport } from '@/lib/contracts/diagnostics';

/** What the engine's side asks of the language worker. */
export interface LanguageRequest {
  readonly id: number;
  /** What changed since the request before; null = the file is gone. */
  readonly files: readonly { readonly path: string; readonly text: string | null }[];
  /** Installed packages were too many to look at: what they export may be anything. */
  readonly packagesUnknown: boolean;
  /** undefined = every file. */
  readonly paths: readonly string[] | undefined;
}

export type LanguageAnswer =
  | { readonly id: number; readonly ok: true; readonly report: Omit<DiagnosticsReport, 'leftOut'> }
  | { readonly id: number; readonly ok: false; readonly message: string };

export interface LanguageWorkerScope {
  post(answer: LanguageAnswer): void;
  onMessage(listener: (request: LanguageRequest) => void): void;
}
