import { describe, expect, it } from 'vitest';
import { findSignalLines, isSignalLine } from '@/lib/pipeline/5-backfill/signal-lines';

const note = [
  'error: x',
  'ERROR',
  'an error here',
  'TypeError: x is not a function',
  'error[E0308]: mismatched',
  'warning: unused',
  "thread 'main' panicked at src/a.rs",
  'NullPointerException',
  'Traceback (most recent call last):',
  'fatal: not a git repository',
  'FAIL src/a.test.ts',
  'FAILED (1)',
  'PASS src/b.test.ts',
  'test result: ok. 3 passed',
  '12 passed',
  '1 failed',
  'exit code 1',
  'exit status 2',
];
const plain = [
  'errors are data',
  'terrors',
  'a warning without the colon',
  'fail',
  'passport',
  'failed to be loud',
  'PASSED',
  'FAILURE',
  'exit codes',
  'compass: 3 degrees',
];

describe('lines of note', () => {
  it.each(note)('%s is one', (line) => expect(isSignalLine(line)).toBe(true));
  it.each(plain)('%s is none', (line) => expect(isSignalLine(line)).toBe(false));

  it('are all found by the search, in order', () => {
    const text = [...note.flatMap((line, index) => [plain[index % plain.length] as string, line])].join('\n');
    expect(findSignalLines(text, { from: 0, to: text.length })).toEqual(note);
  });

  it('lose the carriage return of their line end', () => {
    expect(findSignalLines('ok\r\nerror: a\r\n', { from: 0, to: 15 })).toEqual(['error: a']);
  });

  it('that reach over an edge of the part are not whole and not taken', () => {
    const text = 'error: 1\nerror: 2\nerror: 3\n';
    expect(findSignalLines(text, { from: 3, to: 22 })).toEqual(['error: 2']);
    expect(findSignalLines(text, { from: 9, to: 18 })).toEqual(['error: 2']);
    expect(findSignalLines(text, { from: 2, to: 6 })).toEqual([]);
  });

  it('of which only the line end stands behind the part are whole', () => {
    expect(findSignalLines('error: 1\nerror: 2\n', { from: 0, to: 8 })).toEqual(['error: 1']);
    expect(findSignalLines('error: 1\r\nerror: 2\n', { from: 0, to: 8 })).toEqual(['error: 1']);
    expect(findSignalLines('error: 1\r\nerror: 2\n', { from: 0, to: 9 })).toEqual(['error: 1']);
    expect(findSignalLines('error: 1\rerror: 2\n', { from: 0, to: 8 })).toEqual([]);
  });
});
