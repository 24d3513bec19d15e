import { expect, it } from 'vitest';
import { type EditorEvent, LineEditor } from '@/lib/runtime/embedded/terminal/line-editor';

/** Types `keys` and answers the lines that were entered. */
function type(keys: string, history: readonly string[] = []): readonly EditorEvent[] {
  const editor = new LineEditor(() => undefined, 80);
  for (const line of history) editor.remember(line);
  editor.begin('$ ');
  return [...keys].flatMap((key) => editor.key(key) ?? []);
}

it.each([
  ['plain text', 'echo hi\r', 'echo hi'],
  ['backspace', 'ab\x7fc\r', 'ac'],
  ['backspace at the start', '\x7f\x7fa\r', 'a'],
  ['arrow left, then insert', 'ac\x1b[Db\r', 'abc'],
  ['arrow right stops at the end', 'a\x1b[C\x1b[Cb\r', 'ab'],
  ['home and end', 'b\x1b[Ha\x1b[Fc\r', 'abc'],
  ['control a and e', 'b\x01a\x05c\r', 'abc'],
  ['delete', 'abc\x1b[D\x1b[D\x1b[3~\r', 'ac'],
  ['cut to the end', 'abc\x1b[D\x0b\r', 'ab'],
  ['cut to the start', 'abc\x1b[D\x15\r', 'c'],
  ['cut a word', 'one two \x17\r', 'one '],
  ['word left', 'one two\x1b[1;5Dx\r', 'one xtwo'],
  ['emoji is one step', 'a🌱\x1b[D\x1b[Db\x1b[C\x1b[C\x7f\r', 'ba'],
  ['unknown sequences are nothing', 'a\x1b[15~\x1b[Zb\r', 'ab'],
  ['history up', '\x1b[A\x1b[A\r', 'first'],
  ['history up and down to what was typed', 'draft\x1b[A\x1b[B\r', 'draft'],
  ['history does not run out', '\x1b[A\x1b[A\x1b[A\x1b[A\r', 'first'],
])('%s', (_name, keys, text) => {
  expect(type(keys, ['first', 'second', 'second'])).toEqual([{ type: 'line', text }]);
});

it('control c interrupts, control d ends only on an empty line', () => {
  expect(type('abc\x03')).toEqual([{ type: 'interrupt' }]);
  expect(type('ab\x01\x04\r\x04').slice(0, 1)).toEqual([{ type: 'line', text: 'b' }]);
  expect(type('\x04')).toEqual([{ type: 'end' }]);
  expect(type('cd s\t')).toEqual([{ type: 'complete', before: 'cd s' }]);
});

it('what is typed at the end is written as it is, an edit draws the line again', () => {
  const written: string[] = [];
  const editor = new LineEditor((text) => written.push(text), 80);
  editor.begin('$ ');
  for (const key of 'ab\x1b[Dc') editor.key(key);
  expect(written).toEqual(['$ ', 'a', 'b', '\r\x1b[J$ ab\r\x1b[3C', '\r\x1b[J$ acb\r\x1b[4C']);
});
