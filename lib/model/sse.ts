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

/** Lines are decoded whole, and no character holds the byte of a line end: nothing is left over from one call to the next. */
const tolerant = new TextDecoder('utf-8', { ignoreBOM: true });
/** Used as a stream: in Node that is half again as quick where characters have several bytes, and half as quick where they have one or the text is long. */
const tolerantWide = new TextDecoder('utf-8', { ignoreBOM: true });
const WIDE_MOST = 65_536;

/** Whether bytes are UTF-8. `mayGoOn`: a character at their end may have its rest still to come. */
function isUtf8(bytes: Uint8Array, mayGoOn = false): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: mayGoOn });
    return true;
  } catch {
    return false;
  }
}

/** Where the last line that ends in these bytes ends; 0 = none does. */
function endOfLines(bytes: Uint8Array): number {
  for (let at = bytes.length - 1; at >= 0; at--) {
    const byte = bytes[at];
    if (byte === LF || byte === CR) return at + 1;
  }
  return 0;
}

/**
 * Turns the bytes of an event stream into its events, by the WHATWG rules.
 *
 * In     chunks cut anywhere, also inside a character or between CR and LF.
 * Out    events in order; `damaged` marks one whose bytes were not UTF-8 (they read as U+FFFD).
 * Fails  never: a broken end is told by `end`.
 * Order  linear in the bytes: those of an unfinished line wait until it ends, and are decoded and searched then, once. (eventsource-parser
 *        joins and searches an unfinished line again for every chunk; tests compare with it.)
 */
export function createSseDecoder(): SseDecoder {
  /** The bytes of the line under way, and room for more. */
  let room = new Uint8Array(1024);
  let length = 0;
  /** The lines before these had characters of several bytes. */
  let isWide = false;
  let isLineDamaged = false;
  let afterCr = false;
  let isFirstLine = true;
  let insideEvent = false;
  let damaged = false;
  let data: string | undefined;
  let moreData: string[] | undefined;
  let eventName = '';
  let idBuffer = '';
  let eventId: string | undefined;
  let lastEventId = '';
  let done = false;
  let ended = false;
  let ready: SseEvent[] = [];
  const warnings: string[] = [];

  const dispatch = (): void => {
    lastEventId = idBuffer;
    const all = moreData === undefined ? data : moreData.join('\n');
    // The end mark is short: a long value is not trimmed for it.
    if (all !== undefined && all.length <= 64 && all.trim() === DONE) done = true;
    else if (all !== undefined) {
      const event: { -readonly [Key in keyof SseEvent]: SseEvent[Key] } = { data: all };
      if (eventName !== '' && eventName !== 'message') event.event = eventName;
      if (eventId !== undefined) event.id = eventId;
      if (damaged) event.damaged = true;
      ready.push(event);
    }
    insideEvent = false;
    damaged = false;
    data = undefined;
    moreData = undefined;
    eventName = '';
    eventId = undefined;
  };

  const addData = (value: string): void => {
    if (data === undefined) data = value;
    else if (moreData === undefined) moreData = [data, value];
    else moreData.push(value);
  };

  const takeField = (line: string): void => {
    insideEvent = true;
    damaged ||= isLineDamaged;
    if (line.startsWith('data:')) return addData(line.slice(line.charCodeAt(5) === 0x20 ? 6 : 5));
    const colon = line.indexOf(':');
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (name === 'data') addData(value);
    else if (name === 'event') eventName = value;
    else if (name === 'id' && !value.includes('\0')) {
      idBuffer = value;
      eventId = value;
    }
  };

  const warn = (): void => {
    if (!warnings.includes('invalid-utf8')) warnings.push('invalid-utf8');
  };

  const withoutMark = (line: string): string => (isFirstLine && line.startsWith(BYTE_ORDER_MARK) ? line.slice(1) : line);

  const takeLine = (text: string): void => {
    const line = withoutMark(text);
    isFirstLine = false;
    if (isLineDamaged) warn();
    if (line === '') dispatch();
    else if (line.charCodeAt(0) !== 0x3a) takeField(line);
    isLineDamaged = false;
  };

  /** Takes whole lines, each with its end. */
  const takeText = (text: string): void => {
    let from = afterCr && text.charCodeAt(0) === LF ? 1 : 0;
    let cr = text.indexOf('\r', from);
    let lf = text.indexOf('\n', from);
    while (!done && (lf !== -1 || cr !== -1)) {
      const isCr = lf === -1 || (cr !== -1 && cr < lf);
      const to = isCr ? cr : lf;
      takeLine(text.slice(from, to));
      from = to + (isCr && text.charCodeAt(to + 1) === LF ? 2 : 1);
      if (isCr) cr = text.indexOf('\r', from);
      if (lf !== -1 && lf < from) lf = text.indexOf('\n', from);
    }
    afterCr = text.charCodeAt(text.length - 1) === CR;
  };

  /** The same for bytes of which some are damaged: line by line, so that each line knows whether it is. */
  const takeDamaged = (bytes: Uint8Array): void => {
    for (let from = 0; from < bytes.length && !done; ) {
      let to = from;
      while (bytes[to] !== LF && bytes[to] !== CR) to++;
      const line = bytes.subarray(from, to);
      isLineDamaged = !isUtf8(line);
      takeText(tolerant.decode(line) + (bytes[to] === LF ? '\n' : '\r'));
      from = to + 1;
    }
  };

  const takeLines = (bytes: Uint8Array): void => {
    const text = isWide && bytes.length <= WIDE_MOST ? tolerantWide.decode(bytes, { stream: true }) : tolerant.decode(bytes);
    isWide = text.length < bytes.length;
    // A replacement character is rare: only then is it asked whether the bytes spell it.
    if (text.includes('\uFFFD') && !isUtf8(bytes)) takeDamaged(bytes);
    else takeText(text);
  };

  /** Adds bytes to the line under way. */
  const wait = (bytes: Uint8Array): void => {
    if (length + bytes.length > room.length) {
      const larger = new Uint8Array((length + bytes.length) * 2);
      larger.set(room.subarray(0, length));
      room = larger;
    }
    room.set(bytes, length);
    length += bytes.length;
  };

  const takeChunk = (chunk: Uint8Array): void => {
    const end = endOfLines(chunk);
    if (end === 0) return wait(chunk);
    const lines = end === chunk.length ? chunk : chunk.subarray(0, end);
    if (length === 0) takeLines(lines);
    else {
      wait(lines);
      takeLines(room.subarray(0, length));
      length = 0;
    }
    if (end < chunk.length) wait(chunk.subarray(end));
  };

  const takeReady = (): readonly SseEvent[] => {
    const events = ready;
    ready = [];
    return events;
  };

  return {
    push(chunk) {
      if (done || ended || chunk.length === 0) return [];
      takeChunk(chunk);
      return takeReady();
    },
    end(closedCleanly) {
      if (done || ended) return { events: [] };
      ended = true;
      const rest = room.subarray(0, length);
      if (closedCleanly) {
        if (rest.length > 0) {
          // A character that never came to its end is damaged.
          isLineDamaged = !isUtf8(rest);
          takeLine(tolerant.decode(rest));
        }
        if (!done) dispatch();
        return { events: takeReady() };
      }
      // A character that the break cut off is not damaged, what came before it may be.
      if (!isUtf8(rest, true)) warn();
      const line = withoutMark(new TextDecoder('utf-8', { ignoreBOM: true }).decode(rest, { stream: true }));
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
