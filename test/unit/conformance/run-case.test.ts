import { describe, expect, it } from 'vitest';
import { readCaseFile } from '@/lib/conformance/case-file';
import { runCase } from '@/lib/conformance/run-case';

const good = { id: 'x-1', why: 'it resolves', input: { requested: 'a', registered: ['a'], mutating: [] }, expected: { resolved: 'a', rung: 'exact' } };

describe('the case runner', () => {
  it('passes what is so', async () => {
    expect(await runCase('name-repair', good, [])).toEqual({ passed: true, id: 'x-1', why: 'it resolves' });
  });

  it('fails what is not so, with what came', async () => {
    const wrong = { ...good, expected: { resolved: 'a', rung: 'case' } };
    expect(await runCase('name-repair', wrong, [])).toEqual({ passed: false, id: 'x-1', why: 'it resolves', expected: wrong.expected, got: good.expected });
  });

  it('fails a kind that nobody runs, and fields that nobody knows', async () => {
    const unknown = async (kind: string, one: typeof good) => {
      const report = await runCase(kind, one, []);
      return report.passed ? 'passed' : report.got;
    };
    expect(await unknown('weather', good)).toEqual({ exception: 'there is no runner for weather' });
    expect(await unknown('name-repair', { ...good, expected: { ...good.expected, colour: 'red' } as typeof good.expected })).toEqual({
      exception: 'expected: no runner knows the field colour',
    });
    expect(await unknown('name-repair', { ...good, input: { ...good.input, colour: 'red' } as typeof good.input })).toEqual({
      exception: 'input: no runner knows the field colour',
    });
  });

  it('reads a file of cases and says what is wrong with another', () => {
    expect(readCaseFile(JSON.stringify({ kind: 'k', contract: [], cases: [good] }))).toEqual({ kind: 'k', cases: [good] });
    expect(() => readCaseFile('[]')).toThrow('not a file of cases');
    expect(() => readCaseFile(JSON.stringify({ kind: 'k', cases: [{ ...good, id: 3 }] }))).toThrow('case 0: id, why, input and expected are wanted');
    expect(() => readCaseFile(JSON.stringify({ kind: 'k', cases: [{ ...good, note: '' }] }))).toThrow('case x-1: unknown field note');
  });
});
