import type { GitFileChange } from '@/lib/contracts/git';
import { countChanges, quotePath, unifiedDiff } from '@/lib/shared/unified-diff';
import type { ReadOptions } from './options';

/** One line of a summary: a change, with where it was when it moved unchanged. */
interface Shown extends GitFileChange {
  readonly from?: string;
}

/** Options of every command that shows changes. */
export const changeFlags = {
  '--stat': 'stat',
  '--shortstat': 'shortstat',
  '--numstat': 'numstat',
  '--name-only': 'name-only',
  '--name-status': 'name-status',
  '--no-renames': 'no-renames',
  '-p': 'patch',
  '--patch': 'patch',
  '-u': 'patch',
} as const;
export const changeValues = { '-U': 'unified', '--unified': 'unified' } as const;

/** Changes in the form that the options ask for; the diff itself by default. */
export function showChanges(changes: readonly GitFileChange[], options: ReadOptions): string {
  const shown: readonly Shown[] = options.has('no-renames') ? changes : joinRenames(changes);
  const lines: string[] = [];
  if (options.has('name-only')) lines.push(...shown.map(({ path }) => `${quotePath(path)}\n`));
  else if (options.has('name-status'))
    lines.push(...shown.map((one) => `${letterOf(one)}\t${one.from === undefined ? '' : `${quotePath(one.from)}\t`}${quotePath(one.path)}\n`));
  else if (options.has('numstat')) lines.push(...shown.map(numbers));
  else if (options.has('stat')) lines.push(statText(shown));
  else if (options.has('shortstat')) lines.push(shown.length === 0 ? '' : `${shortStat(shown)}\n`);
  if (lines.length > 0 && !options.has('patch')) return lines.join('');
  const context = Number(options.value('unified') ?? 3);
  const patch = shown.map((one) => (one.from === undefined ? unifiedDiff(one, context) : renameText(one.from, one.path))).join('');
  return lines.length === 0 ? patch : `${lines.join('')}${lines.join('') === '' ? '' : '\n'}${patch}`;
}

/** Deletions and additions of equal content, as one rename each, under the new path. */
export function joinRenames(changes: readonly GitFileChange[]): readonly Shown[] {
  const gone = changes.filter((one) => one.after === null && one.beforeId !== undefined && (one.before?.length ?? 0) > 0);
  const used = new Set<GitFileChange>();
  const joined = changes.map((one): Shown => {
    if (one.before !== null || one.afterId === undefined) return one;
    const from = gone.find((other) => !used.has(other) && other.beforeId === one.afterId);
    if (from === undefined) return one;
    used.add(from);
    return { ...one, before: from.before, beforeId: one.afterId, from: from.path };
  });
  return joined.filter((one) => !used.has(one));
}

/** ` 2 files changed, 3 insertions(+), 1 deletion(-)` */
export function shortStat(changes: readonly Shown[]): string {
  const counts = changes.map(countChanges);
  const added = counts.reduce((sum, count) => sum + (count?.added ?? 0), 0);
  const removed = counts.reduce((sum, count) => sum + (count?.removed ?? 0), 0);
  const parts = [` ${changes.length} file${changes.length === 1 ? '' : 's'} changed`];
  if (added > 0 || removed === 0) parts.push(`${added} insertion${added === 1 ? '' : 's'}(+)`);
  if (removed > 0 || added === 0) parts.push(`${removed} deletion${removed === 1 ? '' : 's'}(-)`);
  return parts.join(', ');
}

/** ` create mode …`, ` delete mode …` and ` rename …` lines, as a commit sums itself up. */
export function modeLines(changes: readonly Shown[]): readonly string[] {
  return changes.flatMap((one) => {
    if (one.from !== undefined) return [` rename ${renamedPath(one.from, one.path)} (100%)`];
    if (one.before === null) return [` create mode 100644 ${quotePath(one.path)}`];
    return one.after === null ? [` delete mode 100644 ${quotePath(one.path)}`] : [];
  });
}

/** Columns of a summary. Source: git's own width where there is no terminal. */
const WIDTH = 80;

function statText(changes: readonly Shown[]): string {
  if (changes.length === 0) return '';
  const rows = changes.map((one) => ({ name: one.from === undefined ? quotePath(one.path) : renamedPath(one.from, one.path), count: countChanges(one), one }));
  const nameWidth = Math.max(...rows.map((row) => row.name.length));
  const most = Math.max(...rows.map((row) => (row.count === undefined ? 0 : row.count.added + row.count.removed)));
  const numberWidth = rows.some((row) => row.count === undefined) ? Math.max(3, `${most}`.length) : `${most}`.length;
  const room = Math.max(6, WIDTH - nameWidth - numberWidth - 6);
  const scale = (count: number): number => (most <= room || count === 0 ? count : 1 + Math.floor((count * (room - 1)) / most));
  const lines = rows.map(({ name, count, one }) => {
    const head = ` ${name.padEnd(nameWidth)} | `;
    if (count === undefined) return `${head}${'Bin'.padStart(numberWidth)} ${one.before?.length ?? 0} -> ${one.after?.length ?? 0} bytes`;
    const total = count.added + count.removed;
    const width = scale(total);
    const added =
      total === 0
        ? 0
        : most <= room
          ? count.added
          : count.added === 0
            ? 0
            : Math.max(1, Math.min(width - (count.removed > 0 ? 1 : 0), Math.round((width * count.added) / total)));
    return `${head}${`${total}`.padStart(numberWidth)} ${'+'.repeat(added)}${'-'.repeat(width - added)}`.trimEnd();
  });
  return `${[...lines, shortStat(changes)].join('\n')}\n`;
}

function numbers(one: Shown): string {
  const count = countChanges(one);
  const path = one.from === undefined ? quotePath(one.path) : renamedPath(one.from, one.path);
  return count === undefined ? `-\t-\t${path}\n` : `${count.added}\t${count.removed}\t${path}\n`;
}

function letterOf({ before, after, from }: Shown): string {
  if (from !== undefined) return 'R100';
  return before === null ? 'A' : after === null ? 'D' : 'M';
}

function renameText(from: string, to: string): string {
  return `diff --git ${quotePath(`a/${from}`)} ${quotePath(`b/${to}`)}\nsimilarity index 100%\nrename from ${quotePath(from)}\nrename to ${quotePath(to)}\n`;
}

/** `src/{old.ts => new.ts}`: what both paths share stands once. */
function renamedPath(from: string, to: string): string {
  const [a, b] = [from.split('/'), to.split('/')];
  let head = 0;
  while (head < a.length - 1 && head < b.length - 1 && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  if (head === 0 && tail === 0) return `${quotePath(from)} => ${quotePath(to)}`;
  const start = a
    .slice(0, head)
    .map((part) => `${part}/`)
    .join('');
  const end = a
    .slice(a.length - tail)
    .map((part) => `/${part}`)
    .join('');
  return `${start}{${a.slice(head, a.length - tail).join('/')} => ${b.slice(head, b.length - tail).join('/')}}${end}`;
}
