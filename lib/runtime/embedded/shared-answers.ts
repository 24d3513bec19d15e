import { decodeUtf8, encodeUtf8 } from '@/lib/shared/bytes';
import type { CallAnswer } from './protocol';

/**
 * Answers to a waiting worker through shared memory.
 *
 * The first 16 bytes are the header: state (0 waiting, 1 a part is here), bytes of this part, bytes that are still to come.
 * An answer is its JSON, with every byte array replaced by its place in the bytes that follow.
 */
const HEADER_BYTES = 16;
const PART_BYTES = 1024 * 1024;

export function createAnswerMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(HEADER_BYTES + PART_BYTES);
}

/** The engine's end: writes answers part by part. */
export class AnswerWriter {
  readonly #header: Int32Array;
  readonly #part: Uint8Array;
  #rest: Uint8Array = new Uint8Array(0);

  constructor(memory: SharedArrayBuffer) {
    this.#header = new Int32Array(memory, 0, HEADER_BYTES / 4);
    this.#part = new Uint8Array(memory, HEADER_BYTES);
  }

  answer(answer: CallAnswer): void {
    this.#rest = pack(answer);
    this.next();
  }

  /** Writes the next part of an answer that did not fit. */
  next(): void {
    const part = this.#rest.subarray(0, this.#part.length);
    this.#part.set(part);
    this.#rest = this.#rest.subarray(part.length);
    Atomics.store(this.#header, 1, part.length);
    Atomics.store(this.#header, 2, this.#rest.length);
    Atomics.store(this.#header, 0, 1);
    Atomics.notify(this.#header, 0);
  }
}

/** The worker's end: blocks until the answer is whole. `askNext` asks for the next part. */
export function awaitAnswer(memory: SharedArrayBuffer, askNext: () => void): CallAnswer {
  const header = new Int32Array(memory, 0, HEADER_BYTES / 4);
  const shared = new Uint8Array(memory, HEADER_BYTES);
  let whole = new Uint8Array(0);
  for (;;) {
    Atomics.wait(header, 0, 0);
    const length = Atomics.load(header, 1);
    const rest = Atomics.load(header, 2);
    Atomics.store(header, 0, 0);
    const joined = new Uint8Array(whole.length + length);
    joined.set(whole);
    joined.set(shared.subarray(0, length), whole.length);
    whole = joined;
    if (rest === 0) return unpack(whole);
    askNext();
  }
}

function pack(answer: CallAnswer): Uint8Array {
  const arrays: Uint8Array[] = [];
  let offset = 0;
  const json = encodeUtf8(
    JSON.stringify(answer, (_key, value: unknown) => {
      if (!(value instanceof Uint8Array)) return value;
      arrays.push(value);
      offset += value.length;
      return { $bytes: [offset - value.length, value.length] };
    }),
  );
  const packed = new Uint8Array(4 + json.length + offset);
  new DataView(packed.buffer).setUint32(0, json.length);
  packed.set(json, 4);
  let at = 4 + json.length;
  for (const array of arrays) {
    packed.set(array, at);
    at += array.length;
  }
  return packed;
}

function unpack(packed: Uint8Array): CallAnswer {
  const jsonLength = new DataView(packed.buffer, packed.byteOffset).getUint32(0);
  const base = 4 + jsonLength;
  return JSON.parse(decodeUtf8(packed.subarray(4, base)), (_key, value: unknown) => {
    if (typeof value !== 'object' || value === null || !('$bytes' in value) || !Array.isArray(value.$bytes)) return value;
    const [start, length] = value.$bytes as [number, number];
    return packed.slice(base + start, base + start + length);
  }) as CallAnswer;
}
