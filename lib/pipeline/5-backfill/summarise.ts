import type { SpillRef } from '@/lib/contracts/ids';
import { utf8Length } from '@/lib/shared/bytes';
import { ownText } from '@/lib/shared/own-text';
import { type CutLimits, cutShellOutput } from './cut';
import { joinCut } from './cut-marker';
import { cutAndSpill, type LongResult, type SpillPorts, storeWhole } from './spill';

/** Estimated tokens over which a text from outside goes to the model in short. Source governance 11. */
export const SUMMARY_OVER_TOKENS = 4_096;
/** UTF-8 bytes of a token, roughly, over English text and code. */
const TOKEN_BYTES = 4;
/** Head and tail where no model is at hand: half of the tokens that start a summary. */
const HEAD_AND_SIGNAL: CutLimits = { capBytes: SUMMARY_OVER_TOKENS * TOKEN_BYTES, headBytes: 6_000, tailBytes: 2_000 };
/** UTF-8 bytes a summary may have; a longer one is cut. */
const SUMMARY_LIMITS: CutLimits = { capBytes: 8_000, headBytes: 8_000, tailBytes: 0 };

/** The route is on. `model`: a cheap model that puts a text in short; rejects or answers '' when it cannot. */
export interface SummarisePort {
  readonly model?: (text: string, source: string) => Promise<string>;
}

export function estimateTokens(text: string): number {
  return Math.ceil(utf8Length(text) / TOKEN_BYTES);
}

/**
 * Puts a long text from outside in short; the original is kept under a retrieval id.
 *
 * In     a result with its origin.
 * Out    unchanged up to 4,096 estimated tokens; else what a cheap model made of it, or head, signal lines and tail when there is none or it fails.
 * Fails  never. What cannot be kept whole is not put in short either: it is cut by the general rule.
 */
export async function summariseOutside(result: LongResult, route: SummarisePort, ports: SpillPorts): Promise<string> {
  const { callId, content, origin = 'unknown', economics } = result;
  if (economics === 'never-spills' || estimateTokens(content) <= SUMMARY_OVER_TOKENS) return cutAndSpill(result, ports);
  const totalBytes = utf8Length(content);
  const { marker, fate } = await storeWhole(result, content, totalBytes, ports);
  if ('problem' in fate) return cutAndSpill(result, { ...ports, emit: () => {}, spills: refusing(ports.spills, fate.problem) });
  const summary = ownText(await shortOf(content, origin, route));
  const by = summary === '' ? 'head-and-signal' : 'model';
  ports.emit({ type: 'result-summary', callId, by, totalBytes, ref: fate.ref as SpillRef });
  if (by === 'model') {
    const cut = cutShellOutput(summary, SUMMARY_LIMITS);
    const shown = cut.truncated ? cut.head : cut.text;
    return `[A summary that a model made of ${totalBytes} bytes; the words are not the source's.]\n${shown}\n${marker}`;
  }
  return ownText(joinCut(cutShellOutput(content, HEAD_AND_SIGNAL), marker));
}

async function shortOf(text: string, source: string, route: SummarisePort): Promise<string> {
  try {
    return ((await route.model?.(text, source)) ?? '').trim();
  } catch {
    return '';
  }
}

/** The store that has just said no says it again without being asked, so that the person is told once. */
function refusing(spills: SpillPorts['spills'], detail: string): SpillPorts['spills'] {
  return { ...spills, write: async () => ({ saved: false, reason: 'failed', detail }) };
}
