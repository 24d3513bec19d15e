import { gunzipSync as nodeGunzip, gzipSync as nodeGzip } from 'node:zlib';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { gunzipSync, gzipSync } from '@/shims/zlib';

it('reads what Node wrote and writes what Node reads, at every level', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 70_000 }), fc.integer({ min: -1, max: 9 }), (data, level) => {
      expect(gunzipSync(nodeGzip(data, { level }))).toEqual(data);
      expect(new Uint8Array(nodeGunzip(gzipSync(data, { level })))).toEqual(data);
    }),
    { numRuns: 60 },
  );
});

it('unpacks several members in a row', () => {
  const two = Buffer.concat([nodeGzip('one '), nodeGzip('two')]);
  expect(new TextDecoder().decode(gunzipSync(two))).toBe('one two');
});

it('stops a small file that would fill the memory', () => {
  const bomb = nodeGzip(new Uint8Array(20_000_000));
  expect(() => gunzipSync(bomb, { maxOutputLength: 1_000_000 })).toThrow(expect.objectContaining({ code: 'ERR_BUFFER_TOO_LARGE' }));
});

it('refuses what is no gzip and what ends early', () => {
  const whole = nodeGzip('some text that is long enough to be cut in the middle of it');
  expect(() => gunzipSync(new Uint8Array([1, 2, 3]))).toThrow();
  expect(() => gunzipSync(whole.subarray(0, whole.length - 12))).toThrow();
  expect(() => gunzipSync(new Uint8Array(0))).toThrow();
});
