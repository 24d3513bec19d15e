import { utf8Length } from '@/lib/shared/bytes';
import { countOf, formatBytes, headBytes } from '@/lib/shared/text-lines';
import type { Match } from './json-path';

/** What is written out to say how much there is: values that lie in one another would be written over and over. */
const WRITTEN_BYTES = 1_000_000;
/** Room for the words at a cut. */
const WORDS_BYTES = 120;

/**
 * Writes values as JSON, one a line, as far as `limitBytes` reach.
 *
 * In     `label` stands before each.
 * Out    `shown`: how many stand in `body`; the last of them may be cut, and then says which jsonpath goes on inside it.
 *        `left`: how much there is in all, when that is more than is shown.
 */
export function writeValues(
  matches: readonly Match[],
  label: (match: Match, at: number) => string,
  limitBytes: number,
): { readonly body: string; readonly shown: number; readonly left?: string } {
  const body: string[] = [];
  let room = limitBytes;
  let full = false;
  let bytes = 0;
  let at = 0;
  for (; at < matches.length && bytes <= WRITTEN_BYTES; at++) {
    const match = matches[at] as Match;
    const before = label(match, at);
    const json = JSON.stringify(match.value);
    const size = utf8Length(before) + utf8Length(json) + 1;
    bytes += size;
    if (full) continue;
    full = size > room + 1;
    if (!full) body.push(before + json);
    else if (body.length === 0 || room > 2 * WORDS_BYTES) body.push(beginning(match, before, json, room));
    room -= size;
  }
  const inAll = `${at < matches.length ? 'more than ' : ''}${formatBytes(Math.max(bytes - 1, 0))} in all`;
  return { body: body.join('\n'), shown: body.length, ...(full ? { left: inAll } : {}) };
}

function beginning(match: Match, label: string, json: string, room: number): string {
  const { value } = match;
  const next = typeof value === 'string' ? match.textFrom(0) : Array.isArray(value) ? `${match.path}[0:20]` : `${match.path}.*`;
  const inside = room - utf8Length(label) - utf8Length(next) - WORDS_BYTES;
  // Where the way to the value alone fills the room, no way to its parts can be named in it.
  if (inside < 20) return `${headBytes(label + json, Math.max(room - WORDS_BYTES, 20))}… [cut: slice or range reach it in parts]`;
  if (typeof value !== 'string')
    return `${label}${headBytes(json, inside)}… [cut: ${formatBytes(utf8Length(json))}; its parts come one by one with jsonpath=${next}]`;
  const end = fittingText(value, inside);
  return `${label}${JSON.stringify(value.slice(0, end))}… [text cut: ${countOf(value.length, 'character')}; goes on with jsonpath=${match.textFrom(end)}]`;
}

/** How many UTF-16 units of `text` fit, written as JSON, into `limitBytes`; never splits a code point. */
function fittingText(text: string, limitBytes: number): number {
  let bytes = 0;
  let end = 0;
  for (const character of text) {
    bytes += utf8Length(JSON.stringify(character)) - 2;
    if (bytes > limitBytes) break;
    end += character.length;
  }
  return end;
}
