import { utf8Length } from '@/lib/shared/bytes';
import { fittingHead, fittingTail, wellFormed } from '@/lib/shared/fitting-text';
import { findSignalLines } from './signal-lines';

/** UTF-8 bytes. `totalBytes`: the size of the text, where whoever streamed it has counted already. */
export interface CutLimits {
  readonly capBytes: number;
  readonly headBytes: number;
  readonly tailBytes: number;
  readonly totalBytes?: number;
}

export type Cut =
  | { readonly truncated: false; readonly text: string; readonly bytes: number }
  | {
      readonly truncated: true;
      readonly head: string;
      readonly tail: string;
      /** Lines of note from the part left out, as they are shown. */
      readonly signalLines: readonly string[];
      readonly bytes: number;
      readonly headBytes: number;
      readonly tailBytes: number;
      readonly omittedBytes: number;
    };

export const SHELL_LIMITS: CutLimits = { capBytes: 30_000, headBytes: 22_000, tailBytes: 8_000 };
export const GENERAL_LIMITS: CutLimits = { capBytes: 102_400, headBytes: 32_768, tailBytes: 0 };

/**
 * Keeps head and tail of a command's output, and the lines of note in between.
 *
 * In     `text` any string, stdout and stderr together; `limits` in UTF-8 bytes.
 * Out    unchanged up to the cap; else head and tail of at most their limits, never splitting a code point. A lone
 *        surrogate counts 3 bytes and comes out as U+FFFD, as it would be encoded.
 * Fails  never.
 * Source article, "The Economics of Results": 30,000 bytes = 22,000 head + 8,000 tail.
 */
export function cutShellOutput(text: string, limits: CutLimits = SHELL_LIMITS): Cut {
  const ends = cutEnds(text, limits);
  if (!ends.truncated) return ends;
  const { headEnd, tailStart, ...cut } = ends;
  return { ...cut, signalLines: findSignalLines(text, { from: headEnd, to: tailStart }) };
}

/** Keeps the first 32 KiB of any other result that is over 102,400 bytes. Source governance 11. */
export function cutGeneralResult(text: string, limits: CutLimits = GENERAL_LIMITS): Cut {
  const ends = cutEnds(text, limits);
  if (!ends.truncated) return ends;
  const { headEnd: _, tailStart: __, ...cut } = ends;
  return { ...cut, signalLines: [] };
}

type Ends =
  | Extract<Cut, { truncated: false }>
  | (Omit<Extract<Cut, { truncated: true }>, 'signalLines'> & { readonly headEnd: number; readonly tailStart: number });

/** Cut without the search for signal lines: looks at the two ends only, once the size is known. */
export function cutEnds(text: string, limits: CutLimits): Ends {
  const bytes = limits.totalBytes ?? utf8Length(text);
  if (bytes <= limits.capBytes) return { truncated: false, text, bytes };
  const head = fittingHead(text, limits.headBytes);
  const tail = fittingTail(text, limits.tailBytes);
  return {
    truncated: true,
    head: wellFormed(text.slice(0, head.at)),
    tail: wellFormed(text.slice(tail.at)),
    bytes,
    headBytes: head.bytes,
    tailBytes: tail.bytes,
    omittedBytes: bytes - head.bytes - tail.bytes,
    headEnd: head.at,
    tailStart: tail.at,
  };
}
