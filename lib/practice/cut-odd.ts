import { between, type Random } from './random';

/**
 * Cuts bytes the way a network might: pieces of 1 to 127 bytes, each but the last an odd number, so that cuts fall inside
 * characters, words and lines.
 *
 * Out    joined, the pieces are `bytes`.
 */
export function cutOdd(bytes: Uint8Array, random: Random): readonly Uint8Array[] {
  const pieces: Uint8Array[] = [];
  for (let from = 0; from < bytes.length; ) {
    // Three in ten are tiny: those are the ones that split a character or the end of a line.
    const size = random() < 0.3 ? 1 + 2 * between(random, 0, 3) : 1 + 2 * between(random, 4, 63);
    pieces.push(bytes.subarray(from, from + size));
    from += size;
  }
  return pieces;
}

/** Cuts text into deltas of a few code points each, as a model's tokens are; never inside a code point. */
export function cutIntoDeltas(text: string, random: Random): readonly string[] {
  const points = Array.from(text);
  const deltas: string[] = [];
  for (let from = 0; from < points.length; ) {
    const size = between(random, 2, 13);
    deltas.push(points.slice(from, from + size).join(''));
    from += size;
  }
  return deltas;
}
