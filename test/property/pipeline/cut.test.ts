import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SpillRef } from '@/lib/contracts/ids';
import { cutGeneralResult, cutShellOutput } from '@/lib/pipeline/5-backfill/cut';
import { cutMarker, joinCut, shortenShown } from '@/lib/pipeline/5-backfill/cut-marker';
import { encodeUtf8, utf8Length } from '@/lib/shared/bytes';

const runs = { numRuns: 1_000 };
const unit = fc.constantFrom('a', 'é', '日', '😀', '\n', '\ud800', '\udc00', 'error: x\n', '\r\n', '5 failed\n');
const output = fc.array(unit, { maxLength: 120 }).map((parts) => parts.join(''));
const limits = fc.record({ capBytes: fc.nat(80), headBytes: fc.nat(50), tailBytes: fc.nat(30) }).filter((one) => one.headBytes + one.tailBytes <= one.capBytes);
const encodable = (text: string) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(encodeUtf8(text));
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

describe('a cut', () => {
  it('never exceeds its limits, counts every byte once and is valid UTF-8', () => {
    fc.assert(
      fc.property(output, limits, (text, limit) => {
        const cut = cutShellOutput(text, limit);
        expect(cut.bytes).toBe(encodeUtf8(text).length);
        if (!cut.truncated) {
          expect(cut).toEqual({ truncated: false, text, bytes: cut.bytes });
          expect(cut.bytes).toBeLessThanOrEqual(limit.capBytes);
          return;
        }
        expect(encodeUtf8(cut.head).length).toBe(cut.headBytes);
        expect(encodeUtf8(cut.tail).length).toBe(cut.tailBytes);
        expect(cut.headBytes).toBeLessThanOrEqual(limit.headBytes);
        expect(cut.tailBytes).toBeLessThanOrEqual(limit.tailBytes);
        expect(cut.headBytes + cut.omittedBytes + cut.tailBytes).toBe(cut.bytes);
        expect(cut.omittedBytes).toBeGreaterThan(0);
        for (const shown of [cut.head, cut.tail, ...cut.signalLines]) expect(strict.decode(encodeUtf8(shown))).toBe(shown);
        expect(encodable(text).startsWith(cut.head)).toBe(true);
        expect(encodable(text).endsWith(cut.tail)).toBe(true);
      }),
      runs,
    );
  });

  it('wastes less than one code point at either end', () => {
    fc.assert(
      fc.property(output, limits, (text, limit) => {
        const cut = cutShellOutput(text, limit);
        if (!cut.truncated) return;
        expect(limit.headBytes - cut.headBytes).toBeLessThan(4);
        expect(limit.tailBytes - cut.tailBytes).toBeLessThan(4);
      }),
      runs,
    );
  });

  it('shows lines of note only as whole lines of what was left out', () => {
    fc.assert(
      fc.property(output, limits, (text, limit) => {
        const cut = cutShellOutput(text, limit);
        if (!cut.truncated) return;
        const lines = encodable(text)
          .split('\n')
          .map((line) => line.replace(/\r$/, ''));
        for (const line of cut.signalLines) expect(lines).toContain(line);
      }),
      runs,
    );
  });

  it('made once more keeps its marker once, within the limit', () => {
    const marker = cutMarker({ kind: 'saved', ref: 'spill-p-1' as SpillRef });
    fc.assert(
      fc.property(output, limits, fc.integer({ min: utf8Length(marker) + 2, max: 400 }), (text, limit, limitBytes) => {
        const cut = cutShellOutput(text, limit);
        if (!cut.truncated) return;
        const shown = shortenShown(joinCut(cut, marker), marker, limitBytes);
        expect(encodeUtf8(shown).length).toBeLessThanOrEqual(limitBytes);
        expect(shown.split(marker).length).toBe(2);
      }),
      runs,
    );
  });

  it('of any other result keeps the first 32 KiB', () => {
    fc.assert(
      fc.property(fc.constantFrom('a', 'é', '日', '😀'), fc.integer({ min: 30_000, max: 110_000 }), (letter, count) => {
        const text = letter.repeat(count);
        const cut = cutGeneralResult(text);
        const bytes = encodeUtf8(letter).length * count;
        expect(cut.truncated).toBe(bytes > 102_400);
        if (cut.truncated)
          expect([cut.headBytes, cut.tail, cut.omittedBytes]).toEqual([32_768 - (32_768 % encodeUtf8(letter).length), '', bytes - cut.headBytes]);
      }),
      { numRuns: 1_000 },
    );
  });
});
