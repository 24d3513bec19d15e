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

const tolerant = new TextDecoder('utf-8', { ignoreBOM: true });

/** Whether bytes are UTF-8. `mayGoOn`: a character at their end may have its rest still to come. */
function isUtf8(bytes: Uint8Array, mayGoOn: boolean): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: mayGoOn });
    return true;
  } catch {
    return false;
  }
}

/** The longest start of `bytes` that cuts no character. */
function wholeCharacters(bytes: Uint8Array): number {
  for (let at = bytes.length - 1; at >= Math.max(0, bytes.length - 3); at--) {
    const byte = bytes[at] ?? 0;
    if (byte < 0x80) break;
    // The byte that begins a character says how many it has.
    if (byte >= 0xc0) return bytes.length - at < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? at : bytes.length;
  }
  return bytes.length;
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}

/**
 * Turns the bytes of an event stream into its events, by the WHATWG rules.
 *
 * In     chunks cut anywhere, also inside a character or between CR and LF.
 * Out    events in order; `damaged` marks one whose bytes were not UTF-8 (they read as U+FFFD).
 * Fails  never: a broken end is told by `end`.
 * Order  linear in the bytes: a chunk is decoded once and searched once, and an unfinished line is joined when it ends. (eventsource-parser
 *        joins and searches an unfinished line again for every chunk; tests compare with it.)
 */
export function createSseDecoder(): SseDecoder {
  /** The last bytes so far, where a character goes on in the next chunk. */
  const tail = new Uint8Array(4);
  let tailLength = 0;
  const streaming = new TextDecoder('utf-8', { ignoreBOM: true });
  /** Set once bytes were damaged: from then on every chunk is taken apart, after what is carried over from the one before. */
  let carried: Uint8Array | undefined;
  /** The line under way, as far as it came. */
  let pieces: string[] = [];
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

  const takeLine = (text: string): void => {
    const line = isFirstLine && text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
    isFirstLine = false;
    if (isLineDamaged) warn();
    if (line === '') dispatch();
    else if (line.charCodeAt(0) !== 0x3a) takeField(line);
    isLineDamaged = false;
  };

  const endLine = (last: string): void => {
    if (pieces.length === 0) return takeLine(last);
    pieces.push(last);
    const line = pieces.join('');
    pieces = [];
    takeLine(line);
  };

  /** Takes text that cuts no character; what follows its last line end waits for more. */
  const takeText = (text: string): void => {
    let from = afterCr && text.charCodeAt(0) === LF ? 1 : 0;
    if (text !== '') afterCr = false;
    let cr = text.indexOf('\r', from);
    for (let lf = text.indexOf('\n', from); lf !== -1 || cr !== -1; ) {
      const isCr = lf === -1 || (cr !== -1 && cr < lf);
      const to = isCr ? cr : lf;
      endLine(text.slice(from, to));
      if (done) return;
      from = to + 1;
      if (isCr && from === text.length) afterCr = true;
      else if (isCr && text.charCodeAt(from) === LF) from++;
      if (isCr) cr = text.indexOf('\r', from);
      if (lf !== -1 && lf < from) lf = text.indexOf('\n', from);
    }
    if (from < text.length) pieces.push(from === 0 ? text : text.slice(from));
  };

  /** The same for bytes of which some are damaged: line by line, so that each line knows whether it is. No character holds a line end. */
  const takeDamaged = (bytes: Uint8Array): void => {
    for (let from = 0; from < bytes.length && !done; ) {
      let to = from;
      while (to < bytes.length && bytes[to] !== LF && bytes[to] !== CR) to++;
      const line = bytes.subarray(from, to);
      const text = tolerant.decode(line);
      isLineDamaged ||= text.includes('\uFFFD') && !isUtf8(line, false);
      takeText(text);
      if (to < bytes.length) takeText(bytes[to] === LF ? '\n' : '\r');
      from = to + 1;
    }
  };

  const keepTail = (chunk: Uint8Array): void => {
    // A chunk that is shorter than a character goes behind what is there.
    const last = chunk.length >= 4 || tailLength === 0 ? chunk : joined(tail.subarray(0, tailLength), chunk);
    const from = wholeCharacters(last);
    tailLength = last.length - from;
    for (let i = 0; i < tailLength; i++) tail[i] = last[from + i] as number;
  };

  const takeApart = (chunk: Uint8Array, before: Uint8Array): void => {
    const bytes = joined(before, chunk);
    const whole = wholeCharacters(bytes);
    carried = bytes.slice(whole);
    takeDamaged(bytes.subarray(0, whole));
  };

  const takeChunk = (chunk: Uint8Array): void => {
    if (carried !== undefined) return takeApart(chunk, carried);
    const text = streaming.decode(chunk, { stream: true });
    // A replacement character is rare: only then is it asked whether the bytes spell it.
    if (text.includes('\uFFFD') && !isUtf8(joined(tail.subarray(0, tailLength), chunk), true)) return takeApart(chunk, tail.slice(0, tailLength));
    keepTail(chunk);
    takeText(text);
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
      const cutOff = carried ?? tail.subarray(0, tailLength);
      const wasDamaged = isLineDamaged || !isUtf8(cutOff, true);
      // A character that never came to its end is damaged.
      if (carried === undefined ? streaming.decode() !== '' : carried.length > 0) takeDamaged(cutOff);
      if (closedCleanly) {
        if (pieces.length > 0) endLine('');
        if (!done) dispatch();
        return { events: takeReady() };
      }
      // A character that the break cut off is not damaged, what came before it may be.
      if (wasDamaged) warn();
      const start = pieces.join('');
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
