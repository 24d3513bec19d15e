import { expect, it } from 'vitest';
import type { PathChange, PathState } from '@/lib/contracts/undo';
import { planUndo } from '@/lib/engine/undo-plan';
import { encodeUtf8 } from '@/lib/shared/bytes';
import { mergeLines } from '@/lib/shared/merge-lines';

const file = (text: string): PathState => ({ bytes: encodeUtf8(text) });
const folder: PathState = { directory: true };
const change = (path: string, before: PathState, after: PathState): PathChange => ({ path, before, after });
const now = (entries: Readonly<Record<string, PathState>>) => new Map(Object.entries(entries));

it('a turn whose calls follow one another goes back to before the first', () => {
  const steps = [[change('a', file('2'), file('3'))], [change('a', null, file('2'))]];
  expect(planUndo(steps, now({ a: file('3') }), 'refuse')).toEqual({ writes: [change('a', file('3'), null)], left: [] });
});

it('what the person did between two calls is never lost', () => {
  const steps = [[change('a', file('mine'), file('3'))], [change('a', file('1'), file('2'))]];
  expect(planUndo(steps, now({ a: file('3') }), 'leave')).toEqual({ writes: [], left: [{ path: 'a', why: 'changed', merges: false }] });
});

it('what is as it was before is done already, and no obstacle', () => {
  const steps = [[change('a', file('1'), file('2')), change('b', null, file('x'))]];
  expect(planUndo(steps, now({ a: file('1'), b: file('x') }), 'refuse')).toEqual({ writes: [change('b', file('x'), null)], left: [] });
});

it('a file that changed since is left; with merging, changes of other lines come together', () => {
  const steps = [[change('a', file('1\n2\n3\n4\n'), file('1\nTWO\n3\n4\n'))]];
  const current = now({ a: file('1\nTWO\n3\nFOUR\n') });
  expect(planUndo(steps, current, 'refuse').left).toEqual([{ path: 'a', why: 'changed', merges: true }]);
  expect(planUndo(steps, current, 'leave').writes).toEqual([]);
  expect(planUndo(steps, current, 'merge').writes).toEqual([change('a', file('1\nTWO\n3\nFOUR\n'), file('1\n2\n3\nFOUR\n'))]);
  expect(planUndo(steps, now({ a: file('1\nSECOND\n3\n4\n') }), 'merge').left).toEqual([{ path: 'a', why: 'changed', merges: false }]);
});

it('a folder that the call made stays while something of the person is in it', () => {
  const steps = [[change('d', null, folder), change('d/x', null, file('x'))]];
  expect(planUndo(steps, now({ d: folder, 'd/x': file('x'), 'd/mine': file('m') }), 'refuse')).toEqual({ writes: [change('d/x', file('x'), null)], left: [] });
  expect(planUndo(steps, now({ d: folder, 'd/x': file('x') }), 'refuse').writes.map(({ path }) => path)).toEqual(['d', 'd/x']);
});

it('nothing is brought back below a file that stands there now', () => {
  const steps = [[change('d', folder, null), change('d/x', file('x'), null)]];
  expect(planUndo(steps, now({ d: file('mine') }), 'leave')).toEqual({
    writes: [],
    left: [
      { path: 'd', why: 'changed', merges: false },
      { path: 'd/x', why: 'in-the-way', merges: false },
    ],
  });
});

it('a file that became a folder comes back only when nothing else is in that folder', () => {
  const steps = [[change('d', file('was a file'), folder), change('d/x', null, file('x'))]];
  expect(planUndo(steps, now({ d: folder, 'd/x': file('x') }), 'refuse').left).toEqual([]);
  expect(planUndo(steps, now({ d: folder, 'd/x': file('x'), 'd/mine': file('m') }), 'refuse').left).toEqual([{ path: 'd', why: 'in-the-way', merges: false }]);
});

it('the call that changed a file since is named', () => {
  const steps = [[change('a', null, file('1'))]];
  expect(planUndo(steps, now({ a: file('2') }), 'refuse', () => 'call-9' as never).left).toEqual([{ path: 'a', why: 'changed', by: 'call-9', merges: false }]);
});

it('lines are merged with their endings, and never where they touch', () => {
  expect(mergeLines('a\r\nb\r\nc\r\nd', 'A\r\nb\r\nc\r\nd', 'a\r\nb\r\nc\r\nD')).toBe('A\r\nb\r\nc\r\nD');
  expect(mergeLines('a\nb\n', 'A\nb\n', 'a\nB\n')).toBeUndefined();
  expect(mergeLines('a\n', 'a\nx\n', 'a\ny\n')).toBeUndefined();
  expect(mergeLines('', 'x', '')).toBe('x');
});
