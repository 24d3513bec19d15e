import { Buffer } from 'buffer';
import shaJs from 'sha.js';

const subtle = globalThis.crypto;

/** The part of `node:crypto` that needs no native code: randomness, SHA hashes and HMACs. */
class Hash {
  readonly #hash: { update(data: Uint8Array | string, encoding?: string): unknown; digest(): Uint8Array };

  constructor(algorithm: string) {
    const name = algorithm.toLowerCase().replace('-', '');
    if (!HASHES.includes(name))
      throw Object.assign(new Error(`Digest method not supported here: ${algorithm} (there are ${HASHES.join(', ')})`), { code: 'ERR_CRYPTO_INVALID_DIGEST' });
    this.#hash = shaJs(name) as never;
  }

  update(data: string | Uint8Array, encoding?: BufferEncoding): this {
    this.#hash.update(Buffer.from(data as string, encoding));
    return this;
  }

  digest(encoding?: BufferEncoding): Buffer | string {
    const bytes = Buffer.from(this.#hash.digest());
    return encoding ? bytes.toString(encoding) : bytes;
  }
}

class Hmac {
  readonly #algorithm: string;
  readonly #outer: Uint8Array;
  readonly #inner: Hash;

  constructor(algorithm: string, secret: string | Uint8Array) {
    const block = /384|512/.test(algorithm) ? 128 : 64;
    let key: Uint8Array = Buffer.from(secret as string);
    if (key.length > block) key = new Hash(algorithm).update(key).digest() as Buffer;
    const pad = (mask: number): Uint8Array => Uint8Array.from({ length: block }, (_, i) => (key[i] ?? 0) ^ mask);
    this.#algorithm = algorithm;
    this.#outer = pad(0x5c);
    this.#inner = new Hash(algorithm).update(pad(0x36));
  }

  update(data: string | Uint8Array, encoding?: BufferEncoding): this {
    this.#inner.update(data, encoding);
    return this;
  }

  digest(encoding?: BufferEncoding): Buffer | string {
    return new Hash(this.#algorithm)
      .update(this.#outer)
      .update(this.#inner.digest() as Buffer)
      .digest(encoding);
  }
}

const HASHES: readonly string[] = ['sha1', 'sha224', 'sha256', 'sha384', 'sha512'];

function randomBytes(size: number): Buffer {
  const bytes = Buffer.alloc(size);
  for (let at = 0; at < size; at += 65_536) subtle.getRandomValues(bytes.subarray(at, at + 65_536));
  return bytes;
}

export const cryptoModule = {
  webcrypto: subtle,
  subtle: subtle.subtle,
  getRandomValues: <T extends ArrayBufferView<ArrayBuffer>>(view: T): T => subtle.getRandomValues(view),
  randomUUID: (): string => {
    const bytes = randomBytes(16);
    bytes[6] = ((bytes[6] as number) & 0x0f) | 0x40;
    bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
    return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  },
  randomBytes,
  randomInt(from: number, to?: number): number {
    const [low, high] = to === undefined ? [0, from] : [from, to];
    return low + Math.floor((randomBytes(6).readUIntBE(0, 6) / 2 ** 48) * (high - low));
  },
  createHash: (algorithm: string) => new Hash(algorithm),
  createHmac: (algorithm: string, key: string | Uint8Array) => new Hmac(algorithm, key),
  getHashes: () => [...HASHES],
  timingSafeEqual(a: Uint8Array, b: Uint8Array): boolean {
    if (a.length !== b.length)
      throw Object.assign(new RangeError('Input buffers must have the same byte length'), { code: 'ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH' });
    return a.reduce((difference, byte, i) => difference | (byte ^ (b[i] as number)), 0) === 0;
  },
};
