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
// A long line is decoded slice by slice while it arrives: the work stays in the cache, and no byte is held for long.
const SLICE_BYTES = 65_536;
const FIRST_BUFFER_BYTES = 2048;

const tolerant = new TextDecoder('utf-8', { ignoreBOM: true });
const strict = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true });

function isUtf8(bytes: Uint8Array): boolean {
  try {
    strict.decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** The longest start of `bytes` that cuts no character: a byte that begins one always begins anew, also after a damaged one. */
function wholeCharacters(bytes: Uint8Array): number {
  for (let at = bytes.length - 1; at >= Math.max(0, bytes.length - 4); at--) {
    const byte = bytes[at] ?? 0;
    if (byte >= 0xc0) return at;
    if (byte < 0x80) break;
  }
  return bytes.length;
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
  let held = new Uint8Array(FIRST_BUFFER_BYTES);
  let heldLength = 0;
  let slices: string[] = [];
  let isLineDamaged = false;
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

  const decode = (bytes: Uint8Array): string => {
    const text = tolerant.decode(bytes);
    if (text.includes('\uFFFD') && !isUtf8(bytes)) isLineDamaged = true;
    return text;
  };

  const hold = (bytes: Uint8Array): void => {
    if (held.length < SLICE_BYTES && heldLength + bytes.length > held.length) {
      const larger = new Uint8Array(Math.min(SLICE_BYTES, 2 * (heldLength + bytes.length)));
      larger.set(held.subarray(0, heldLength));
      held = larger;
    }
    for (let from = 0; from < bytes.length; ) {
      const taken = bytes.subarray(from, from + SLICE_BYTES - heldLength);
      held.set(taken, heldLength);
      heldLength += taken.length;
      from += taken.length;
      if (heldLength < SLICE_BYTES) return;
      const whole = wholeCharacters(held);
      slices.push(decode(held.subarray(0, whole)));
      held.copyWithin(0, whole);
      heldLength = SLICE_BYTES - whole;
    }
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
    damaged ||= isLineDamaged;
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

  const takeLine = (text: string): void => {
    const line = isFirstLine && text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
    isFirstLine = false;
    if (isLineDamaged && !warnings.includes('invalid-utf8')) warnings.push('invalid-utf8');
    if (line === '') dispatch();
    else if (!line.startsWith(':')) takeField(line);
    isLineDamaged = false;
  };

  const takeHeldLine = (): void => {
    slices.push(decode(held.subarray(0, heldLength)));
    heldLength = 0;
    const line = slices.length === 1 ? (slices[0] ?? '') : slices.join('');
    slices = [];
    takeLine(line);
  };

  const endLine = (bytes: Uint8Array): void => {
    if (heldLength === 0 && slices.length === 0 && bytes.length <= SLICE_BYTES) return takeLine(decode(bytes));
    hold(bytes);
    takeHeldLine();
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
        endLine(chunk.subarray(from, to));
        if (done) return takeReady();
        from = to + 1;
        if (isCr && from === chunk.length) afterCr = true;
        else if (isCr && chunk[from] === LF) from++;
        if (isCr) cr = chunk.indexOf(CR, from);
        if (lf !== -1 && lf < from) lf = chunk.indexOf(LF, from);
      }
      if (from < chunk.length) hold(chunk.subarray(from));
      return takeReady();
    },
    end(closedCleanly) {
      if (done || ended) return { events: [] };
      ended = true;
      const isLineOpen = heldLength > 0 || slices.length > 0;
      if (closedCleanly) {
        if (isLineOpen) takeHeldLine();
        dispatch();
        return { events: takeReady() };
      }
      const start = slices[0] ?? tolerant.decode(held.subarray(0, Math.min(heldLength, 4)));
      const line = isFirstLine && start.startsWith(BYTE_ORDER_MARK) ? start.slice(1) : start;
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
