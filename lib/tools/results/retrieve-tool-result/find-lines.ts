import { utf8Length } from '@/lib/shared/bytes';
import { characterStart } from '@/lib/shared/fitting-text';
import { LINE_BYTES, linePart } from '@/lib/shared/line-part';
import { countOf, formatBytes, headBytes, oneLine } from '@/lib/shared/text-lines';

const AROUND_MATCH = 300;
/** Room for the words beside a part of a line. */
const WORDS_BYTES = 110;

export interface Search {
  readonly query: string;
  readonly max_bytes: number;
  readonly max_matches: number;
  readonly context_lines: number;
}

/**
 * Finds the lines that contain a text, upper and lower case alike.
 *
 * Out    the matching lines have the room first, the lines around them what is left, the nearest first; the first match is
 *        always there. `more` says what was left out.
 */
export function findLines(lines: readonly string[], search: Search): { readonly title: string; readonly body: readonly string[]; readonly more?: string } {
  const wanted = search.query.toLowerCase();
  const hits: number[] = [];
  lines.forEach((line, index) => {
    if (line.toLowerCase().includes(wanted)) hits.push(index);
  });
  const shown = new Map<number, string>();
  let room = search.max_bytes;
  const add = (index: number, text: string): boolean => {
    const line = `${index + 1}\t${text}`;
    // Four bytes more: the line break, and the sign of a gap.
    const size = utf8Length(line) + 4;
    if (size > room && shown.size > 0) return false;
    room -= size;
    shown.set(index, line);
    return true;
  };
  let matched = 0;
  for (const hit of hits.slice(0, search.max_matches)) {
    if (!add(hit, matchIn(lines, hit, wanted, Math.min(LINE_BYTES, search.max_bytes - 20)))) break;
    matched++;
  }
  const around = addAround(lines, hits.slice(0, matched), search.context_lines, shown, add);
  const rest = hits.length - matched;
  const more = [
    ...(around ? [] : ['max_bytes left out lines around the matches']),
    ...(rest > 0 ? [`${rest} more not shown, the next at line ${(hits[matched] as number) + 1}: raise max_matches or max_bytes, or use a longer query`] : []),
  ].join('; ');
  return {
    title: `${countOf(hits.length, 'line')} with "${oneLine(search.query, 60)}"`,
    body: inOrder(shown),
    ...(more === '' ? {} : { more }),
  };
}

/** Adds the lines around the matches until one has no room; tells whether all had. */
function addAround(
  lines: readonly string[],
  hits: readonly number[],
  context: number,
  shown: ReadonlyMap<number, string>,
  add: (index: number, text: string) => boolean,
): boolean {
  for (let distance = 1; distance <= context; distance++)
    for (const hit of hits)
      for (const index of [hit - distance, hit + distance])
        if (index >= 0 && index < lines.length && !shown.has(index) && !add(index, linePart(lines, index, LINE_BYTES, 'lines'))) return false;
  return true;
}

function inOrder(shown: ReadonlyMap<number, string>): readonly string[] {
  const body: string[] = [];
  let before: number | undefined;
  for (const [index, line] of [...shown].sort(([left], [right]) => left - right)) {
    if (before !== undefined && index > before + 1) body.push('--');
    body.push(line);
    before = index;
  }
  return body;
}

/** A long line shows the part around the match: the match may be the only thing of interest in a megabyte. */
function matchIn(lines: readonly string[], index: number, wanted: string, most: number): string {
  const line = lines[index] as string;
  const bytes = utf8Length(line);
  if (bytes <= most) return line;
  const [start, end] = placeOf(line, wanted);
  const room = Math.max(most - WORDS_BYTES, 40);
  const match = headBytes(line.slice(start, end), room);
  // Three bytes is what one UTF-16 unit takes at most.
  const around = Math.min(AROUND_MATCH, Math.floor((room - utf8Length(match)) / 6));
  const from = characterStart(line, Math.max(0, start - around));
  const to = characterStart(line, Math.min(line.length, start + match.length + around));
  const at = utf8Length(line.slice(0, from));
  return `${from > 0 ? '…' : ''}${line.slice(from, to)}${to < line.length ? '…' : ''} [line of ${formatBytes(bytes)}, match at column ${start + 1}; lines="${index + 1}+${at}" shows more]`;
}

/** Where the match stands in the line as it is: a lower-cased character can be longer than its capital (İ). */
function placeOf(line: string, wanted: string): readonly [number, number] {
  const lower = line.toLowerCase();
  const start = lower.indexOf(wanted);
  const end = start + wanted.length;
  if (lower.length === line.length) return [start, end];
  let place = 0;
  let lowered = 0;
  let from = 0;
  for (const character of line) {
    if (lowered >= end) break;
    lowered += character.toLowerCase().length;
    if (lowered <= start) from = place + character.length;
    place += character.length;
  }
  return [from, place];
}
