import { gunzipSync as gunzip, gzipSync as gzip } from 'fflate';

/** The part of `node:zlib` that the shell's gzip commands use, over fflate. */
export const constants = { Z_BEST_COMPRESSION: 9, Z_BEST_SPEED: 1, Z_DEFAULT_COMPRESSION: -1, Z_NO_COMPRESSION: 0 };

export function gzipSync(data: Uint8Array | string, options?: { readonly level?: number }): Uint8Array {
  const level = options?.level;
  return Buffer.from(gzip(bytesOf(data), { level: level === undefined || level < 0 || level > 9 ? 6 : (level as 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9) }));
}

export function gunzipSync(data: Uint8Array | string): Uint8Array {
  return Buffer.from(gunzip(bytesOf(data)));
}

function bytesOf(data: Uint8Array | string): Uint8Array {
  return typeof data === 'string' ? Buffer.from(data, 'utf8') : data;
}

export default { constants, gzipSync, gunzipSync };
