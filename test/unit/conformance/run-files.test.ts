import { describe, expect, it } from 'vitest';
import type { GivenFile } from '@/lib/conformance/gather-cases';
import { runCase } from '@/lib/conformance/run-case';
import { type ConformanceNews, describeNews, runFiles } from '@/lib/conformance/run-files';

/** A case of the name ladder that says how `a` is resolved; it is resolved exactly. */
const one = (id: string, rung = 'exact', why = 'it resolves') => ({
  id,
  why,
  input: { requested: 'a', registered: ['a'], mutating: [] },
  expected: { resolved: 'a', rung },
});
const file = (name: string, cases: readonly unknown[], own = false, kind = 'name-repair'): GivenFile => ({
  name,
  own,
  content: { text: JSON.stringify({ kind, contract: [], cases }) },
});

async function run(files: readonly GivenFile[]) {
  const said: ConformanceNews[] = [];
  const count = await runFiles(
    files,
    ({ kind, one, cases }) =>
      runCase(
        kind,
        one,
        cases.filter((other) => other !== one),
      ),
    (news) => said.push(news),
  );
  return { count, said };
}

describe('a run of case files', () => {
  it('counts what passes and tells what fails, and a failure stops no other', async () => {
    const { count, said } = await run([file('a.json', [one('x-1'), one('x-2', 'case'), one('x-3')])]);
    expect(count).toEqual({ passed: 2, failed: 1 });
    expect(said).toEqual([
      {
        type: 'failed',
        kind: 'name-repair',
        id: 'x-2',
        why: 'it resolves',
        file: 'a.json',
        expected: { resolved: 'a', rung: 'case' },
        got: { resolved: 'a', rung: 'exact' },
      },
    ]);
    expect(said.map(describeNews)).toEqual([
      'failed  name-repair x-2 (a.json)\n  why       it resolves\n  expected  {"resolved":"a","rung":"case"}\n  got       {"resolved":"a","rung":"exact"}',
    ]);
  });

  it('counts the same case of two files once', async () => {
    expect(await run([file('a.json', [one('x-1')]), file('b.json', [one('x-1', 'exact', 'in other words'), one('x-2')])])).toEqual({
      count: { passed: 2, failed: 0 },
      said: [],
    });
  });

  it('lets the own copy of a case count, whichever file comes first', async () => {
    const files = [file('shared.json', [one('x-1', 'case')]), file('own.json', [one('x-1')], true)];
    const said = [{ type: 'corrected', kind: 'name-repair', id: 'x-1', file: 'own.json', instead: 'shared.json' }];
    expect(await run(files)).toEqual({ count: { passed: 1, failed: 0 }, said });
    expect(await run(files.toReversed())).toEqual({ count: { passed: 1, failed: 0 }, said });
  });

  it('fails an id with two contents between any other two files, and inside one', async () => {
    const fault = (where: string) => ({
      type: 'fault',
      id: 'name-repair x-1',
      why: 'an id is that of one case only',
      fault: `this id stands ${where}, with other content`,
    });
    expect(await run([file('a.json', [one('x-1')]), file('b.json', [one('x-1', 'case')])])).toEqual({
      count: { passed: 0, failed: 1 },
      said: [fault('in a.json and in b.json')],
    });
    expect(await run([file('a.json', [one('x-1'), one('x-1', 'case')])])).toEqual({ count: { passed: 0, failed: 1 }, said: [fault('twice in a.json')] });
    expect((await run([file('a.json', [one('x-1')], true), file('b.json', [one('x-1', 'case')], true)])).count).toEqual({ passed: 0, failed: 1 });
  });

  it('takes the same id of two kinds for two cases', async () => {
    const { count, said } = await run([file('a.json', [one('x-1')]), file('b.json', [one('x-1')], false, 'weather')]);
    expect(count).toEqual({ passed: 1, failed: 1 });
    expect(said.map((news) => (news.type === 'failed' ? news.got : news))).toEqual([{ exception: 'there is no runner for weather' }]);
  });

  it('fails what is no file of cases, and goes on', async () => {
    const bad = (name: string, text: string): GivenFile => ({ name, own: false, content: { text } });
    const { count, said } = await run([
      bad('not-json.json', '{"kind": "sse",'),
      bad('no-kind.json', '{"cases": []}'),
      bad('no-cases.json', '{"kind": "sse", "cases": {}}'),
      bad('more.json', '{"kind": "sse", "cases": [], "skip": true}'),
      bad('field.json', JSON.stringify({ kind: 'sse', cases: [{ ...one('x-0'), skip: true }] })),
      { name: 'gone.json', own: false, content: { fault: 'it cannot be read' } },
      file('a.json', [one('x-1')]),
    ]);
    expect(count).toEqual({ passed: 1, failed: 6 });
    expect(said.map((news) => (news.type === 'fault' ? `${news.id}: ${news.fault.split(/ in JSON| \(/)[0]}` : news))).toEqual([
      expect.stringMatching(/^not-json\.json: /),
      'no-kind.json: not a file of cases: {"kind", "contract", "cases"} is wanted',
      'no-cases.json: not a file of cases: {"kind", "contract", "cases"} is wanted',
      'more.json: not a file of cases: unknown field skip',
      'field.json: case x-0: unknown field skip',
      'gone.json: it cannot be read',
    ]);
  });

  it('takes maxMillis of any kind for a guard, not for something to compare', async () => {
    const guarded = { ...one('x-1'), expected: { resolved: 'a', rung: 'exact', maxMillis: 5000 } };
    expect((await run([file('a.json', [guarded])])).count).toEqual({ passed: 1, failed: 0 });
  });
});
