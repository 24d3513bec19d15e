import { Gunzip, gzipSync as gzip } from 'fflate';

// The part of Node's zlib that just-bash asks for, in a browser.

interface Limits {
  /** Bytes; more is refused before it is made. */
  readonly maxOutputLength?: number;
}

type Level = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

export const constants = { Z_BEST_SPEED: 1, Z_BEST_COMPRESSION: 9, Z_DEFAULT_COMPRESSION: -1 } as const;

const chunkBytes = 16_384;

function tooLarge(limit: number): RangeError {
  return Object.assign(new RangeError(`Cannot create a Buffer larger than ${limit} bytes`), { code: 'ERR_BUFFER_TOO_LARGE' });
}

/**
 * Unpacks gzip data of one or more members.
 *
 * Fails  RangeError `ERR_BUFFER_TOO_LARGE` as soon as the output passes `maxOutputLength`, so a small file cannot fill the memory;
 *        Error when the data is no gzip or ends early.
 */
export function gunzipSync(data: Uint8Array, { maxOutputLength = Number.POSITIVE_INFINITY }: Limits = {}): Uint8Array {
  // fflate takes short data that is no gzip for an unfinished header.
  if (data[0] !== 0x1f || data[1] !== 0x8b || data.length < 18) throw Object.assign(new Error('incorrect header check'), { code: 'Z_DATA_ERROR' });
  const chunks: Uint8Array[] = [];
  let total = 0;
  const stream = new Gunzip((chunk) => {
    total += chunk.length;
    if (total > maxOutputLength) throw tooLarge(maxOutputLength);
    chunks.push(chunk);
  });
  for (let start = 0; start < data.length; start += chunkBytes) {
    stream.push(data.subarray(start, start + chunkBytes), start + chunkBytes >= data.length);
  }
  const output = new Uint8Array(total);
  let offset = 0;
  for (const chunk of chunks) {
    output.set(chunk, offset);
    offset += chunk.length;
  }
  return output;
}

/** Packs data as gzip; `level` 1–9, -1 for the usual 6. */
export function gzipSync(data: Uint8Array, { level = -1, maxOutputLength = Number.POSITIVE_INFINITY }: Limits & { readonly level?: number } = {}): Uint8Array {
  const output = gzip(data, { level: (level < 0 ? 6 : level) as Level, mtime: 0 });
  if (output.length > maxOutputLength) throw tooLarge(maxOutputLength);
  return output;
}
