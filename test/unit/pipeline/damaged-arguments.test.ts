import { describe, expect, it } from 'vitest';
import { runCase } from '@/lib/conformance/run-case';

/** A write whose argument bytes came as they are given. */
async function write(bytes: readonly number[]) {
  const input = {
    tool: { name: 'write_file', capabilities: ['WritesFiles'], schema: { type: 'object', required: ['path'], properties: { path: { type: 'string' } } } },
    rawBase64: btoa(String.fromCharCode(...bytes)),
  };
  const expected = { executed: true, result: 'ok', resultContains: ['damaged', 'Nothing was changed', 'again'] };
  const report = await runCase('dispatch', { id: 'damaged', why: 'planted', input, expected }, []);
  return report.passed ? expected : report.got;
}
const bytesOf = (text: string) => [...new TextEncoder().encode(text)];

describe('argument bytes', () => {
  it('cl-08 that are not valid UTF-8 are not executed, and the call is asked for again', async () => {
    const said = { executed: false, result: 'refused_damaged', resultContains: ['damaged', 'Nothing was changed', 'again'] };
    expect(await write([...bytesOf('{"path":"caf'), 0xc3, ...bytesOf('"}')])).toEqual(said);
    expect(await write([...bytesOf('{"path":"a"}'), 0xff])).toEqual(said);
  });

  it('cl-08 a replacement character that was sent as such is a character like any other', async () => {
    expect(await write(bytesOf('{"path":"a\ufffdb"}'))).toEqual({ executed: true, result: 'ok', resultContains: [] });
  });
});
