/** One line of the table. `ratio` and `must`: smaller is better; the row holds when ratio <= must. */
export interface BenchRow {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** What nothing beats: the shortest program for this work, measured in the same run, or a plain figure. */
  readonly limit: number;
  /** The best other program that does this work; null = there is none, or it is not installed here. */
  readonly peer: string | null;
  readonly peerValue: number | null;
  readonly ratio: number;
  readonly must: number;
}

export interface Bench {
  readonly name: string;
  run(): Promise<BenchRow>;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** `ms`: medians; `ratio`: the median of the ratio of two in the same round, since the machine may be twice as quick a moment later. */
export interface InTurns<Name extends string> {
  readonly ms: Record<Name, number>;
  ratio(one: Name, other: Name): number;
}

/** Programs for the same work, measured one after the other in each round, so that whatever else the machine does meets all of them. */
export function inTurns<Name extends string>(
  programs: Readonly<Record<Name, () => void>>,
  options: { readonly rounds: number; readonly warmUp?: number },
): InTurns<Name> {
  const names = Object.keys(programs) as Name[];
  const times = new Map<Name, number[]>(names.map((name) => [name, []]));
  const warmUp = options.warmUp ?? Math.ceil(options.rounds / 3);
  for (let round = 0; round < options.rounds + warmUp; round++)
    for (const name of names) {
      const from = performance.now();
      programs[name]();
      const ms = performance.now() - from;
      if (round >= warmUp) times.get(name)?.push(ms);
    }
  const ms = Object.fromEntries(names.map((name) => [name, median(times.get(name) ?? [])])) as Record<Name, number>;
  const ratio = (one: Name, other: Name) => median((times.get(one) ?? []).map((time, round) => time / (times.get(other)?.[round] as number)));
  return { ms, ratio };
}

let kept: unknown;

/** Keeps an answer, so that no engine may leave its making out. */
export function keep(answer: unknown): void {
  kept = answer;
}

export function lastKept(): unknown {
  return kept;
}
