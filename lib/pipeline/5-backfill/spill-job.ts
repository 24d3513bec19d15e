import type { SpillRef } from '@/lib/contracts/ids';
import type { JobOutput } from '@/lib/contracts/job';
import { utf8Length } from '@/lib/shared/bytes';
import type { Json } from '@/lib/shared/json';
import { ownText } from '@/lib/shared/own-text';
import { cutShellOutput, SHELL_LIMITS } from './cut';
import { cutMarker, joinCut } from './cut-marker';
import { type LongResult, type SpillPorts, storeWhole } from './spill';

/** The background commands of a session, as far as their outputs go. */
export interface JobOutputs {
  /** All that an ended command wrote; undefined while it runs, when it was forgotten, and once it is stored. */
  whole(taskId: string): JobOutput | undefined;
  stored(taskId: string, ref: SpillRef): void;
}

/** What the slot has to know of a look at a background command; its tool says it in the metadata of the result. */
export interface LookFacts {
  readonly taskId: string;
  readonly running: boolean;
  readonly stale: boolean;
}

/** The facts in a result's metadata; undefined when the result is no look at a background command. */
export function lookIn(metadata: Readonly<Record<string, Json>> | undefined): LookFacts | undefined {
  const taskId = metadata?.['taskId'];
  const status = metadata?.['status'];
  if (typeof taskId !== 'string' || typeof status !== 'string') return undefined;
  return { taskId, running: status === 'running', stale: metadata?.['stale'] === true };
}

/**
 * Cuts what a look at a background command shows, and stores the whole output when the look saw its end.
 *
 * In     `result.content`: what is new, as it would be shown.
 * Out    the text for the history. Whether the whole is stored is decided on all that was written, not on what is new.
 * Order  a look at a running command stores nothing and promises nothing; neither does one at a forgotten command.
 * Source governance 11, the four guardrails of spilling.
 */
export async function cutJobLook(result: LongResult, look: LookFacts, ports: SpillPorts & { readonly jobs: JobOutputs }): Promise<string> {
  const cut = cutShellOutput(result.content);
  const whole = look.running || look.stale ? undefined : ports.jobs.whole(look.taskId);
  const wroteMuch = whole !== undefined && utf8Length(whole.stdout) + utf8Length(whole.stderr) > SHELL_LIMITS.capBytes;
  if (!wroteMuch) {
    if (!cut.truncated) return result.content;
    const shown = ownText(joinCut(cut, unstoredMarker(look)));
    ports.emit({ type: 'result-cut', callId: result.callId, totalBytes: cut.bytes, keptBytes: utf8Length(shown), problem: unstoredReason(look) });
    return shown;
  }
  const text = whole.stderr === '' ? whole.stdout : `${whole.stdout}\n\nSTDERR:\n${whole.stderr}`;
  const bytes = utf8Length(text);
  const { marker, fate } = await storeWhole(result, text, bytes, ports);
  if ('ref' in fate) ports.jobs.stored(look.taskId, fate.ref);
  const shown = cut.truncated ? ownText(joinCut(cut, marker)) : `${result.content}${result.content.endsWith('\n') ? '' : '\n'}${marker}`;
  ports.emit({ type: 'result-cut', callId: result.callId, totalBytes: bytes, keptBytes: utf8Length(shown), ...fate });
  return shown;
}

function unstoredReason(look: LookFacts): string {
  if (look.running) return `${look.taskId} still runs; its output is stored when a look sees its end`;
  return look.stale ? `${look.taskId} was forgotten to make room, only its last bytes were known` : `the output of ${look.taskId} is not kept any more`;
}

function unstoredMarker(look: LookFacts): string {
  return look.running ? `[Not stored yet: ${unstoredReason(look)}.]` : cutMarker({ kind: 'lost', reason: unstoredReason(look) });
}
