/** One fact that the driver counts on, tried on the real thing. */
export interface SmokeCheck {
  readonly name: string;
  readonly held: boolean;
  /** What was seen instead. */
  readonly seen?: string;
}

/** What the page found out. */
export type SmokeReport = { readonly booted: false; readonly why: string } | { readonly booted: true; readonly checks: readonly SmokeCheck[] };
