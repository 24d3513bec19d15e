import { messageOf } from '@/lib/shared/coded-error';
import { type Case, isSameCase, readCaseFile } from './case-file';

/** A file as it was given; `fault` in the place of its text when it could not be read. */
export interface GivenFile {
  readonly name: string;
  /** It lies in the project's own folder of cases, whose copy counts. */
  readonly own: boolean;
  readonly content: { readonly text: string } | { readonly fault: string };
}

/** A case that counts: one of those of its file. */
export interface GatheredCase {
  readonly kind: string;
  readonly one: Case;
  readonly file: string;
  readonly cases: readonly Case[];
}

/** Something that cannot be run and counts as one failure. */
export interface CaseFault {
  readonly id: string;
  readonly why: string;
  readonly fault: string;
}

export interface GatheredCases {
  /** In the order in which they were first met. */
  readonly cases: readonly GatheredCase[];
  readonly faults: readonly CaseFault[];
  /** The project's own copy counts in the place of another file's case. */
  readonly corrected: readonly { readonly kind: string; readonly id: string; readonly file: string; readonly instead: string }[];
}

type Met = GatheredCase & { readonly own: boolean };

/**
 * Decides which cases of a run count.
 *
 * Out    the same case in two files counts once. The same id with other content: the project's own copy counts as corrected;
 *        between any other two it is a fault. So is a file that is not one of cases.
 */
export function gatherCases(files: readonly GivenFile[]): GatheredCases {
  const met = new Map<string, Met[]>();
  const faults: CaseFault[] = [];
  for (const file of files) {
    try {
      if ('fault' in file.content) throw new Error(file.content.fault);
      const { kind, cases } = readCaseFile(file.content.text);
      for (const one of cases) {
        const key = JSON.stringify([kind, one.id]);
        const same = met.get(key) ?? [];
        met.set(key, same);
        same.push({ kind, one, file: file.name, own: file.own, cases });
      }
    } catch (error) {
      faults.push({ id: file.name, why: 'every file that is given is a file of cases', fault: messageOf(error) });
    }
  }
  const cases: GatheredCase[] = [];
  const corrected: GatheredCases['corrected'][number][] = [];
  for (const same of met.values()) {
    const own = same.filter((one) => one.own);
    const others = same.filter((one) => !one.own);
    const [first] = own.length > 0 ? own : others;
    const clash = [differing(own), differing(others)].find((pair) => pair !== undefined);
    if (first === undefined) continue;
    if (clash !== undefined) {
      const where = clash[0].file === clash[1].file ? `twice in ${clash[0].file}` : `in ${clash[0].file} and in ${clash[1].file}`;
      faults.push({ id: `${first.kind} ${first.one.id}`, why: 'an id is that of one case only', fault: `this id stands ${where}, with other content` });
      continue;
    }
    const { kind, one, file } = first;
    cases.push({ kind, one, file, cases: first.cases });
    const instead = own.length > 0 ? others.find((other) => !isSameCase(other.one, one)) : undefined;
    if (instead !== undefined) corrected.push({ kind, id: one.id, file, instead: instead.file });
  }
  return { cases, faults, corrected };
}

/** Two of these that do not say the same, if there are. */
function differing(same: readonly Met[]): readonly [Met, Met] | undefined {
  const [first, ...rest] = same;
  const other = first && rest.find((one) => !isSameCase(one.one, first.one));
  return first && other && [first, other];
}
