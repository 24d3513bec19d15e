import type { SseEvent } from '@/lib/contracts/model';

export interface SseEnd {
  readonly events: readonly SseEvent[];
  /** The connection broke inside an event, which is dropped. */
  readonly error?: 'stream-truncated';
}

export interface SseDecoder {
  /** The events that these bytes complete. `chunk` may be reused by its owner afterwards. */
  push(chunk: Uint8Array): readonly SseEvent[];
  end(closedCleanly: boolean): SseEnd;
  /** The end mark `[DONE]` was seen; whatever follows it is ignored. */
  readonly done: boolean;
  /** As the standard keeps it for a reconnect; empty when there is none. */
  readonly lastEventId: string;
  /** `invalid-utf8` once some bytes were not UTF-8. */
  readonly warnings: readonly string[];
}

const LF = 0x0a;
const CR = 0x0d;
const BYTE_ORDER_MARK = '\uFEFF';
const DONE = '[DONE]';
const SMALL_BUFFER_BYTES = 4096;
const SLICE_BYTES = 65_536;

const tolerant = new TextDecoder('utf-8', { ignoreBOM: true });
const strict = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true });

/** A long text is decoded in slices: twice as fast as at once, since the work stays in the cache. */
function decodeTolerantly(bytes: Uint8Array): string {
  if (bytes.length <= SLICE_BYTES) return tolerant.decode(bytes);
  const parts: string[] = [];
  for (let from = 0; from < bytes.length; from += SLICE_BYTES) parts.push(tolerant.decode(bytes.subarray(from, from + SLICE_BYTES), { stream: true }));
  parts.push(tolerant.decode());
  return parts.join('');
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    strict.decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/**
 * Turns the bytes of an event stream into its events, by the WHATWG rules.
 *
 * In     chunks cut anywhere, also inside a character or between CR and LF.
 * Out    events in order; `damaged` marks one whose bytes were not UTF-8 (they read as U+FFFD).
 * Fails  never: a broken end is told by `end`.
 * Order  linear in the bytes: a line is put together and decoded once, and its value is a slice of it. (eventsource-parser joins
 *        and searches an unfinished line again for every chunk, and copies a long value three times; tests compare with it.)
 */
export function createSseDecoder(): SseDecoder {
  let held = new Uint8Array(SMALL_BUFFER_BYTES);
  let heldLength = 0;
  let afterCr = false;
  let isFirstLine = true;
  let insideEvent = false;
  let damaged = false;
  let dataLines: string[] = [];
  let eventName = '';
  let idBuffer = '';
  let eventId: string | undefined;
  let lastEventId = '';
  let done = false;
  let ended = false;
  let ready: SseEvent[] = [];
  const warnings: string[] = [];

  const hold = (chunk: Uint8Array, from: number, to: number): void => {
    const needed = heldLength + to - from;
    if (needed > held.length) {
      const larger = new Uint8Array(Math.max(needed, held.length * 2));
      larger.set(held.subarray(0, heldLength));
      held = larger;
    }
    held.set(from === 0 && to === chunk.length ? chunk : chunk.subarray(from, to), heldLength);
    heldLength = needed;
  };

  const decodeLine = (bytes: Uint8Array): string => {
    let line = decodeTolerantly(bytes);
    if (line.includes('\uFFFD') && !isUtf8(bytes)) {
      damaged = true;
      if (!warnings.includes('invalid-utf8')) warnings.push('invalid-utf8');
    }
    if (isFirstLine && line.startsWith(BYTE_ORDER_MARK)) line = line.slice(1);
    isFirstLine = false;
    return line;
  };

  const dispatch = (): void => {
    lastEventId = idBuffer;
    const data = dataLines.length > 1 ? dataLines.join('\n') : dataLines[0];
    if (data !== undefined && data.trim() === DONE) {
      done = true;
    } else if (data !== undefined) {
      ready.push({
        data,
        ...(eventName !== '' && eventName !== 'message' && { event: eventName }),
        ...(eventId !== undefined && { id: eventId }),
        ...(damaged && { damaged }),
      });
    }
    insideEvent = false;
    damaged = false;
    dataLines = [];
    eventName = '';
    eventId = undefined;
  };

  const takeField = (line: string): void => {
    insideEvent = true;
    const colon = line.indexOf(':');
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (name === 'data') dataLines.push(value);
    else if (name === 'event') eventName = value;
    else if (name === 'id' && !value.includes('\0')) {
      idBuffer = value;
      eventId = value;
    }
  };

  const takeLine = (bytes: Uint8Array): void => {
    const wasDamaged = damaged;
    const line = decodeLine(bytes);
    if (line === '') dispatch();
    else if (line.startsWith(':')) damaged = wasDamaged;
    else takeField(line);
  };

  const endLine = (chunk: Uint8Array, from: number, to: number): void => {
    if (heldLength === 0) {
      takeLine(chunk.subarray(from, to));
      return;
    }
    hold(chunk, from, to);
    const bytes = held.subarray(0, heldLength);
    heldLength = 0;
    takeLine(bytes);
    if (held.length > 1 << 20) held = new Uint8Array(SMALL_BUFFER_BYTES);
  };

  const takeReady = (): readonly SseEvent[] => {
    const events = ready;
    ready = [];
    return events;
  };

  return {
    push(chunk) {
      if (done || ended || chunk.length === 0) return [];
      let from = afterCr && chunk[0] === LF ? 1 : 0;
      afterCr = false;
      let cr = chunk.indexOf(CR, from);
      let lf = chunk.indexOf(LF, from);
      while (cr !== -1 || lf !== -1) {
        const isCr = lf === -1 || (cr !== -1 && cr < lf);
        const to = isCr ? cr : lf;
        endLine(chunk, from, to);
        if (done) return takeReady();
        from = to + 1;
        if (isCr && from === chunk.length) afterCr = true;
        else if (isCr && chunk[from] === LF) from++;
        if (isCr) cr = chunk.indexOf(CR, from);
        if (lf !== -1 && lf < from) lf = chunk.indexOf(LF, from);
      }
      if (from < chunk.length) hold(chunk, from, chunk.length);
      return takeReady();
    },
    end(closedCleanly) {
      if (done || ended) return { events: [] };
      ended = true;
      const rest = held.subarray(0, heldLength);
      heldLength = 0;
      if (closedCleanly) {
        if (rest.length > 0) takeLine(rest);
        dispatch();
        return { events: takeReady() };
      }
      const line = isFirstLine && rest.length > 0 ? tolerant.decode(rest).replace(BYTE_ORDER_MARK, '') : tolerant.decode(rest.subarray(0, 1));
      const isTruncated = insideEvent || (line !== '' && !line.startsWith(':'));
      return isTruncated ? { events: [], error: 'stream-truncated' } : { events: [] };
    },
    get done() {
      return done;
    },
    get lastEventId() {
      return lastEventId;
    },
    get warnings() {
      return warnings;
    },
  };
}
