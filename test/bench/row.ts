/** One line of the table. `ratio` and `must`: smaller is better; the row holds when ratio <= must. */
export interface BenchRow {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** The limit, measured in the same run where it is a program of its own. */
  readonly limit: number;
  /** What the ratio is taken against. */
  readonly peer: string;
  readonly peerValue: number;
  readonly ratio: number;
  readonly must: number;
}

export type Bench = { readonly name: string; run(): Promise<BenchRow> };

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
