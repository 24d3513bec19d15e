import type { SearchMatch, SearchRequest } from '@/lib/contracts/tool-context';
import { messageOf } from '@/lib/shared/coded-error';

export type SearchAnswer = { readonly ok: true; readonly matches: readonly SearchMatch[] } | { readonly ok: false; readonly message: string };

/**
 * The lines on which a match begins, file by file, each line once; at most `maxMatches`.
 * `^` and `$` are the ends of a line. A pattern that names `\n` is matched over the whole text, any other line by line.
 *
 * Fails  SyntaxError for a pattern that is none.
 */
export function findMatches(request: SearchRequest): readonly SearchMatch[] {
  const find = request.pattern.includes('\\n') ? linesAcross(request) : linesWithin(request);
  const matches: SearchMatch[] = [];
  for (const { path, text } of request.texts) {
    for (const line of find(text)) {
      if (matches.length >= request.maxMatches) return matches;
      matches.push({ path, line });
    }
  }
  return matches;
}

function linesWithin({ pattern, flags }: SearchRequest): (text: string) => Generator<number> {
  const expression = new RegExp(pattern, flags.replace('g', ''));
  return function* (text) {
    const lines = text.split('\n');
    if (lines.at(-1) === '') lines.pop();
    for (const [index, line] of lines.entries()) if (expression.test(line.endsWith('\r') ? line.slice(0, -1) : line)) yield index + 1;
  };
}

function linesAcross({ pattern, flags }: SearchRequest): (text: string) => Generator<number> {
  const expression = new RegExp(pattern, `${flags}m`);
  return function* (text) {
    let line = 1;
    let counted = 0;
    let last = 0;
    for (const match of text.matchAll(expression)) {
      for (; counted < match.index; counted++) if (text.charCodeAt(counted) === 10) line++;
      if (line !== last) yield line;
      last = line;
    }
  };
}

/** Makes a worker answer search requests, one message each. */
export function answerSearches(port: { post(answer: SearchAnswer): void; onMessage(listener: (request: SearchRequest) => void): void }): void {
  port.onMessage((request) => {
    try {
      port.post({ ok: true, matches: findMatches(request) });
    } catch (error) {
      port.post({ ok: false, message: messageOf(error) });
    }
  });
}
