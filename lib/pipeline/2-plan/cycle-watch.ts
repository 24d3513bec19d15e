export type CyclePeriod = 2 | 3 | 4;
const PERIODS: readonly CyclePeriod[] = [2, 3, 4];
const ROUNDS = 3;
const KEPT = 4 * ROUNDS;

/** Notices when the finished requests of a turn repeat in rounds of two to four. */
export interface CycleWatch {
  /** A small number that stands for `text`; equal texts, equal numbers. */
  signature(text: string, failed: boolean): number;
  /** A number that stands for no text and for nothing else. */
  ownSignature(): number;
  /** One request more; answers the period when it completed the third equal round, once for the same set of signatures. */
  enter(signature: number): CyclePeriod | undefined;
  clear(): void;
}

export function createCycleWatch(): CycleWatch {
  const numbers = new Map<string, number>();
  const failing = new Set<number>();
  const warned = new Set<string>();
  let recent: number[] = [];
  let given = 0;

  return {
    signature(text, failed) {
      let number = numbers.get(text);
      if (number === undefined) {
        number = given++;
        numbers.set(text, number);
      }
      if (failed) failing.add(number);
      return number;
    },
    ownSignature: () => given++,
    enter(signature) {
      recent.push(signature);
      if (recent.length > KEPT) recent.shift();
      // Only a round in which something fails is warned about.
      if (failing.size === 0) return undefined;
      for (const period of PERIODS) {
        const round = recent.slice(-period);
        if (recent.length < period * ROUNDS || !repeats(recent.slice(-period * ROUNDS), period)) continue;
        // A round made of shorter rounds is the shorter period's business; all equal is the attempt count's.
        if (repeats(round, 1) || (period === 4 && repeats(round, 2))) continue;
        if (!round.some((one) => failing.has(one))) continue;
        const set = [...new Set(round)].sort((a, b) => a - b).join();
        if (warned.has(set)) continue;
        warned.add(set);
        return period;
      }
      return undefined;
    },
    clear() {
      numbers.clear();
      failing.clear();
      warned.clear();
      recent = [];
    },
  };
}

function repeats(items: readonly number[], period: number): boolean {
  return items.every((item, index) => index < period || item === items[index - period]);
}
