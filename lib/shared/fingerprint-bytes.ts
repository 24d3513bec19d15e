/**
 * A short text that tells whether bytes changed.
 *
 * Out    length and a 53-bit hash; equal bytes give equal texts. Not for secrets: an attacker could make two inputs collide.
 */
export function fingerprintBytes(bytes: Uint8Array): string {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (const byte of bytes) {
    high = Math.imul(high ^ byte, 2654435761);
    low = Math.imul(low ^ byte, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return `${bytes.length}-${(4294967296 * (2097151 & low) + (high >>> 0)).toString(36)}`;
}
