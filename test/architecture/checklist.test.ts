import { expect, it } from 'vitest';
import { sourceFiles } from './source-files';
import { titlesOf } from './test-titles';

/** Situations of the checklist that are in force: what the page loads, what holds through faults, and what the slot does. */
const inForce = [
  ['cl-62'],
  ['cl-51', 'cl-53', 'cl-55', 'cl-57', 'cl-59', 'cl-60'],
  [
    'cl-01',
    'cl-08',
    'cl-09',
    'cl-10',
    'cl-12',
    'cl-13',
    'cl-15',
    'cl-16',
    'cl-18',
    'cl-20',
    'cl-21',
    'cl-23',
    'cl-24',
    'cl-30',
    'cl-31',
    'cl-34',
    'cl-35',
    'cl-36',
  ],
  ['cl-38', 'cl-39', 'cl-40'],
].flat();

/** The ids that no title of a test or group carries. */
function uncarried(ids: readonly string[], files: readonly { readonly path: string; readonly text: string }[]): readonly string[] {
  const carried = new Set(files.flatMap(({ path, text }) => titlesOf(path, text).flatMap(({ title }) => title.match(/\bcl-\d\d\b/g) ?? [])));
  return ids.filter((id) => !carried.has(id));
}

it('each situation of the checklist that is in force is carried by a test', () => {
  const tests = sourceFiles(['test']).filter(({ path }) => /\.(test|spec)\.tsx?$/.test(path));
  expect(uncarried(inForce, tests)).toEqual([]);
});

it('an id in a comment, in another text or as a part of a longer one carries nothing', () => {
  const text =
    "// cl-01\nconst a = 'cl-08'; it('cl-091 x', () => {}); it(`(cl-10, cl-12) $" +
    '{a}' +
    "`, () => {}); test.each([1])('cl-13', () => {}); describe('cl-15', () => {});";
  expect(uncarried(['cl-01', 'cl-08', 'cl-09', 'cl-10', 'cl-12', 'cl-13', 'cl-15'], [{ path: 'a.test.ts', text }])).toEqual(['cl-01', 'cl-08', 'cl-09']);
});
