import { expect, it } from 'vitest';
import type { CallView, Conversation, StepView } from '@/lib/practice/read-conversation';
import { readResult } from '@/lib/practice/read-result';
import { addAFeatureScript } from '@/lib/practice/scripts/add-a-feature';
import { addAFeatureWorkspace } from '@/lib/practice/workspaces/add-a-feature';
import { starterText } from '@/lib/practice/workspaces/workspace';
import type { JsonObject } from '@/lib/shared/json';

const cut = 'Cancelled (the tab closed): it had been started, its effect is unknown, check before repeating';
const call = (name: string, input: JsonObject, text: string): CallView => ({ wireId: '', name, input, result: readResult(name, text, undefined) });
const step = (...calls: readonly CallView[]): StepView => ({ text: '', calls });
const read = (path: string): CallView => {
  const lines = starterText(addAFeatureWorkspace, path).trimEnd().split('\n');
  return call('read_file', { path }, `${path}, lines 1-${lines.length} of ${lines.length} (1 KB)\n${lines.map((line, at) => `${at + 1}\t${line}`).join('\n')}`);
};
const next = (...steps: readonly StepView[]) => {
  const conversation: Conversation = { model: '', toolNames: new Set(), turns: [{ userText: 'Add a summary of the boats', steps }] };
  return (addAFeatureScript.next(conversation).calls ?? []).map(({ name, input }) => `${name} ${String(input['path'] ?? '')}`.trim());
};

const looked = step(read('package.json'), read('README.md'), read('src/report.ts'));
const asked = step(call('request_user_input', {}, 'The person answered:\nWhere?\n  "Below the report"'));
const wrote = step(
  call(
    'write_file',
    { path: 'src/boats.ts', content: 'export function boatTotals() {}\nexport function boatLine() {}\n' },
    'Created src/boats.ts (2 lines, 1 KB).',
  ),
);
const mentioned = step(call('edit_file', { path: 'README.md' }, 'Denied by the person: edit_file was not executed. No reason was given.'));
const patched = step(call('apply_patch', { patch: '--- a/src/report.ts\n+++ b/src/report.ts\n' }, cut));

it('a question that a closed tab took away is asked once more, and then answered for the person', () => {
  const gone = step(call('request_user_input', {}, cut));
  expect(next(looked, gone)).toEqual(['request_user_input']);
  expect(next(looked, gone, gone)).toEqual(['write_file src/boats.ts']);
});

it('a patch that a closed tab cut short is looked after before it is sent again', () => {
  expect(next(looked, asked, wrote, mentioned, patched)).toEqual(['read_file src/report.ts', 'read_file test/boats.test.ts']);
  const absent = call(
    'read_file',
    { path: 'test/boats.test.ts' },
    'There is no file "test/boats.test.ts" in the workspace. Call file_search with part of its name.',
  );
  expect(next(looked, asked, wrote, mentioned, patched, step(read('src/report.ts'), absent))).toEqual(['apply_patch']);
});

it('a patch that had gone in before the tab closed is not sent again', () => {
  const there = call(
    'read_file',
    { path: 'src/report.ts' },
    'src/report.ts, lines 1-1 of 1 (1 KB)\n1\tfor (const total of boatTotals(log)) console.log(boatLine(total));',
  );
  expect(next(looked, asked, wrote, mentioned, patched, step(there))).toEqual(['exec_shell']);
});
