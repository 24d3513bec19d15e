import type { SpillRef } from '@/lib/contracts/ids';
import { utf8Length } from '@/lib/shared/bytes';
import { fittingHead, fittingTail } from '@/lib/shared/fitting-text';
import type { Cut } from './cut';

/**
 * What became of the full output. saved: under `ref`, and the model has the tool that reads it. no-tool: stored, but the
 * model has no such tool. lost: not stored, because of `reason`.
 */
export type Kept =
  | { readonly kind: 'saved'; readonly ref: SpillRef }
  | { readonly kind: 'no-tool'; readonly ref: SpillRef }
  | { readonly kind: 'lost'; readonly reason: string };

/** Counts of a command that wrote more than could be captured. */
export interface Capture {
  readonly producedBytes: number;
  readonly storedBytes: number;
}

/**
 * The sentence that stands where text was left out.
 *
 * Out    names a ref only when the full text can be fetched by it; else says that it cannot, and why. With `capture`
 *        beyond what was stored, states produced, stored and lost bytes.
 * Source law 6: nothing is lost silently.
 */
export function cutMarker(kept: Kept, capture?: Capture): string {
  const sentence =
    kept.kind === 'saved'
      ? `Full output saved; call retrieve_tool_result ref=${kept.ref} to view it.`
      : kept.kind === 'no-tool'
        ? 'Full output saved for the person; the rest cannot be fetched from here, because the tool that reads stored results is switched off.'
        : `Full output not kept and cannot be fetched: ${kept.reason.replace(/[.\s]+$/, '')}.`;
  if (capture === undefined || capture.producedBytes <= capture.storedBytes) return sentence;
  const lost = capture.producedBytes - capture.storedBytes;
  return `${sentence} The command produced ${capture.producedBytes} bytes; ${capture.storedBytes} were stored, ${lost} are lost (capture limit).`;
}

/** The text that is shown for a cut result: head, lines of note, marker, tail. An uncut one is shown as it is. */
export function joinCut(cut: Cut, marker: string): string {
  if (!cut.truncated) return cut.text;
  const { head, tail, signalLines, omittedBytes } = cut;
  const note =
    signalLines.length > 0 ? `[${omittedBytes} bytes left out; lines of note among them:]\n${signalLines.join('\n')}` : `[${omittedBytes} bytes left out]`;
  return `${endLine(head)}${note}\n${marker}${tail === '' ? '' : `\n${tail}`}`;
}

/**
 * Shortens a shown text that holds `marker` once more, keeping the marker.
 *
 * In     `shown` as `joinCut` made it; `limitBytes` UTF-8 bytes for everything.
 * Out    at most `limitBytes` as long as the marker fits; the marker stands in it once.
 */
export function shortenShown(shown: string, marker: string, limitBytes: number): string {
  if (utf8Length(shown) <= limitBytes) return shown;
  const at = shown.indexOf(marker);
  const before = at < 0 ? shown : shown.slice(0, at);
  const after = at < 0 ? shown : shown.slice(at + marker.length);
  const room = Math.max(0, limitBytes - utf8Length(marker) - 2);
  const tailRoom = Math.floor((room * 8) / 30);
  const head = before.slice(0, fittingHead(before, room - tailRoom).at);
  const tail = after.slice(fittingTail(after, tailRoom).at);
  return `${endLine(head)}${marker}${tail === '' || tail.startsWith('\n') ? tail : `\n${tail}`}`;
}

function endLine(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}
