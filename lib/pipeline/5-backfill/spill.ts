import type { ToolMetadata } from '@/lib/contracts/dispatcher';
import type { EngineEventBody } from '@/lib/contracts/events';
import type { CallId, SessionId, SpillRef } from '@/lib/contracts/ids';
import type { SpillStore } from '@/lib/contracts/store';
import { utf8Length } from '@/lib/shared/bytes';
import { ownText } from '@/lib/shared/own-text';
import { cutGeneralResult, cutShellOutput, SHELL_LIMITS } from './cut';
import { cutMarker, joinCut } from './cut-marker';

export interface SpillPorts {
  readonly spills: SpillStore;
  readonly newRef: () => SpillRef;
  readonly sessionId: SessionId;
  readonly now: () => number;
  readonly emit: (event: EngineEventBody) => void;
  /** The tool that fetches spills back is registered. */
  readonly canRetrieve: boolean;
  /** Told of every id under which something was kept: it is this project's own word, wherever it is read. */
  readonly issued?: (ref: SpillRef) => void;
}

export interface LongResult {
  readonly callId: CallId;
  readonly tool: string;
  readonly content: string;
  readonly economics: ToolMetadata['result'];
  /** Bytes the program wrote; more than `content` holds when the capture was full. */
  readonly producedBytes?: number;
  /** Host or server, when the bytes are from outside. */
  readonly origin?: string;
}

/**
 * Cuts what is too long for the context and keeps the whole under a retrieval id.
 *
 * In     one result with its tool's economics.
 * Out    the text for the history: unchanged when short; else head, tail and a marker.
 * Fails  never: when the write fails, the marker names no id and says why, and the person is told.
 * Order  the pointer is promised only once the bytes are durable.
 */
export async function cutAndSpill(result: LongResult, ports: SpillPorts): Promise<string> {
  const { callId, content, economics } = result;
  const overran = economics === 'shell' && lostBytes(result);
  if (staysWhole(result) && !overran) return content;
  const cut = economics === 'shell' ? cutShellOutput(content) : cutGeneralResult(content);
  if (!cut.truncated && !overran) return content;
  const stored = await storeWhole(result, content, cut.bytes, ports);
  const shown = ownText(cut.truncated ? joinCut(cut, stored.marker) : `${content}\n${stored.marker}`);
  ports.emit({ type: 'result-cut', callId, totalBytes: cut.bytes, keptBytes: utf8Length(shown), ...stored.fate });
  return shown;
}

/** Whether a command wrote more than could be kept of it. */
function lostBytes({ content, producedBytes = 0 }: LongResult): boolean {
  return producedBytes > content.length && producedBytes > utf8Length(content);
}

/** Whether nothing of a result is cut, as far as its length alone says: so few UTF-16 units cannot pass either limit, whatever their characters. */
export function staysWhole({ content, economics }: Pick<LongResult, 'content' | 'economics'>): boolean {
  return economics === 'never-spills' || content.length * 3 <= SHELL_LIMITS.capBytes;
}

export interface StoredWhole {
  /** The sentence that promises the whole, or says why it cannot be had. */
  readonly marker: string;
  readonly fate: { readonly ref: SpillRef } | { readonly problem: string };
}

/** Writes a whole text as a spill of `result`; tells the person when older ones went for it, or when it could not be kept. */
export async function storeWhole(
  result: Pick<LongResult, 'callId' | 'tool' | 'producedBytes' | 'origin'>,
  text: string,
  bytes: number,
  ports: SpillPorts,
  holds?: 'data',
): Promise<StoredWhole> {
  const { callId, tool, origin } = result;
  const ref = ports.newRef();
  const record = { ref, sessionId: ports.sessionId, callId, tool, createdAt: ports.now(), text, bytes };
  const written = await ports.spills.write({ ...record, ...(origin === undefined ? {} : { origin }), ...(holds === undefined ? {} : { holds }) });
  if (written.saved) ports.issued?.(ref);
  if (written.saved) {
    if (written.removedForRoom.length > 0)
      ports.emit({
        type: 'notice',
        level: 'warning',
        code: 'spills-removed',
        text: `The storage of this browser is full: ${written.removedForRoom.length} older stored results were removed to keep this one.`,
      });
  } else {
    ports.emit({
      type: 'notice',
      level: 'warning',
      code: 'spill-failed',
      text: `${holds === 'data' ? 'The structured data' : 'The full output'} of ${tool} could not be stored (${written.detail}). What is shown stays; the rest is gone once this page is closed.`,
    });
  }
  const capture = result.producedBytes === undefined ? undefined : { producedBytes: result.producedBytes, storedBytes: written.saved ? bytes : 0 };
  const marker = cutMarker(written.saved ? { kind: ports.canRetrieve ? 'saved' : 'no-tool', ref } : { kind: 'lost', reason: written.detail }, capture);
  return { marker, fate: written.saved ? { ref } : { problem: written.detail } };
}
