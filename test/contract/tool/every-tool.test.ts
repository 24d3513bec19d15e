import { describe, expect, it } from 'vitest';
import type { UndoId, UndoPort } from '@/lib/contracts/undo';
import { z } from '@/lib/contracts/zod';
import { codeOf } from '@/lib/shared/coded-error';
import { builtInTools } from '@/lib/tools/registry.gen';
import { spill } from '@/test/contract/store/stores-contract';
import { createMemoryContext, runTool } from '@/test/support/memory-context';

const files = { 'src/a.ts': 'const a = 1;\n', 'package.json': '{}\n', 'logo.bin': new Uint8Array([0, 1]) };
const spills = [spill('r1', 'one\ntwo\n'), { ...spill('d1', '{"a":[1,2]}'), holds: 'data' as const }];

/** One step of an earlier call that can be undone. */
const undo: UndoPort = {
  list: () => [],
  preview: async () => [{ path: 'src/a.ts', before: 'const a = 1;\n', after: 'const a = 0;\n' }],
  revert: async () => ({ done: true, undoId: 'undo-1' as UndoId, count: 1, left: [] }),
};

/** Valid inputs of every tool; a tool without an entry fails here, so that none goes unexamined. */
const samples: Readonly<Record<string, readonly unknown[]>> = {
  read_file: [{ path: 'src/a.ts' }, { path: 'logo.bin', start_line: 3, max_lines: 500 }],
  list_dir: [{}, { path: 'src', depth: 10, include_hidden: true }],
  write_file: [
    { path: 'src/b.ts', content: '' },
    { path: 'src/a.ts', content: 'x\n'.repeat(1000) },
  ],
  edit_file: [
    { path: 'src/a.ts', search: 'a', replace: '' },
    { path: 'src/a.ts', search: '\n\n', replace: 'x', expected_count: 9 },
  ],
  grep_files: [{ pattern: 'a' }, { pattern: '(?i)A', path: 'src', include: '*.ts', exclude: '*.js', context_lines: 2, case_insensitive: true, max_results: 1 }],
  file_search: [{ query: 'a' }, { query: 'a b', path: 'src', limit: 1, extensions: ['ts'] }],
  apply_patch: [
    { patch: '--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@\n-const a = 1;\n+const a = 2;\n' },
    { patch: 'diff --git a/src/a.ts b/x.ts\nrename from src/a.ts\nrename to x.ts\n--- /dev/null\n+++ b/new.ts\n@@ -0,0 +1 @@\n+x\n' },
  ],
  move_path: [
    { from: 'src/a.ts', to: 'lib/b.ts' },
    { from: './src/', to: 'lib' },
  ],
  copy_path: [
    { from: 'src/a.ts', to: 'src/b.ts' },
    { from: 'src', to: 'copy/of' },
  ],
  delete_path: [{ path: 'src/a.ts' }, { path: './src/' }],
  make_dir: [{ path: 'a/b/' }],
  git_status: [{}],
  git_diff: [{}, { path: 'src', staged: true, unified: 0 }],
  git_log: [{}, { max_count: 1, path: 'src/a.ts' }],
  git_add: [{ paths: ['.'] }, { paths: ['src/a.ts', './b/'] }],
  git_commit: [{ message: 'One\n\nand why' }],
  exec_shell_wait: [{ task_id: 'task_1' }, { task_id: 'task_1', timeout_ms: 0 }],
  exec_shell_interact: [
    { task_id: 'task_1', input: 'y\n' },
    { task_id: 'task_1', input: '', close_stdin: true },
  ],
  exec_shell_cancel: [{ task_id: 'task_1' }, { all: true }],
  request_user_input: [
    { questions: [{ question: 'Which?', options: [{ label: 'a' }, { label: 'b', description: 'the other' }] }] },
    { questions: [1, 2, 3].map((n) => ({ question: `${n}?`, options: [{ label: 'a' }, { label: 'b' }], allow_several: true })) },
  ],
  checklist_write: [{ todos: [] }, { todos: [{ text: 'a' }, { text: 'b', status: 'doing' }] }],
  checklist_update: [{ id: '1', status: 'done' }],
  checklist_list: [{}],
  notify: [{ title: 'Done' }, { title: 'Done', body: 'All tests pass.' }],
  exec_shell: [{ command: 'echo hi' }, { command: 'npm start', background: true }, { command: 'cat\n', timeout_ms: 1, cwd: 'src', stdin: '' }],
  explain_policy: [{ tool: 'read_file' }, { tool: 'exec_shell', input: { command: 'ls && rm -rf x', cwd: 'src' } }],
  diagnostics: [{}, { paths: ['src/a.ts'] }],
  list_snapshots: [{}],
  revert_turn: [{}, { turns_back: 2 }, { call_id: 'call-1' }],
  update_plan: [{ plan: [] }, { plan: [{ step: 'a', status: 'pending' }], explanation: '' }],
  fetch_url: [{ url: 'https://example.com/' }, { url: 'https://example.com/a.json', format: 'raw', max_bytes: 1 }],
  handle_read: [
    { handle: 'd1', introspect: true },
    { handle: 'd1', jsonpath: '$.a[*]', max_bytes: 200 },
    { handle: 'd1', slice: '0:1' },
    { handle: 'd1', range: '1' },
    { handle: 'd1', count: '$.a' },
  ],
  retrieve_tool_result: [{ ref: 'r1' }, { ref: 'r1', mode: 'query', query: 'o', max_bytes: 200, max_matches: 1, context_lines: 0 }, { ref: 'r1', lines: '1' }],
};

/** Fields of any tool that name a path. */
const pathFields = ['path', 'cwd', 'from', 'to'];

function schemaOf(input: z.ZodType): {
  readonly type?: unknown;
  readonly properties?: Record<string, { readonly description?: string }>;
  readonly [key: string]: unknown;
} {
  return z.toJSONSchema(input, { io: 'input' }) as never;
}

/** Every described or undescribed field at any depth: path in the schema → description. */
function fieldsOf(schema: unknown, at = ''): readonly (readonly [string, string | undefined])[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties = {}, items } = schema as { readonly properties?: Record<string, { readonly description?: string }>; readonly items?: unknown };
  return [
    ...Object.entries(properties).flatMap(([name, field]) => [[`${at}${name}`, field.description] as const, ...fieldsOf(field, `${at}${name}.`)]),
    ...fieldsOf(items, `${at}[].`),
  ];
}

it('every built-in tool has samples here, and every name is its own', () => {
  expect(builtInTools.map((tool) => tool.name).sort()).toEqual(Object.keys(samples).sort());
});

describe.each(builtInTools.map((tool) => [tool.name, tool] as const))('%s', (name, tool) => {
  const inputs = (samples[name] ?? []).map((sample) => tool.input.parse(sample));
  const readOnly = tool.capabilities.includes('read-only') && !tool.capabilities.includes('writes-files') && !tool.capabilities.includes('executes-code');

  it('has a legal name', () => {
    expect(name).toMatch(/^[a-z][a-z0-9_]{0,63}$/);
  });

  it('says in its description what it does, when to use it and what comes back', () => {
    expect(tool.description).toMatch(/\bUse it\b/);
    expect(tool.description).toMatch(/\b(Returns|Says|shows|shown|comes back|comes as)\b/);
    expect(tool.description.length).toBeLessThan(1000);
  });

  it('describes every field', () => {
    expect(fieldsOf(schemaOf(tool.input)).filter(([, description]) => (description ?? '').length < 10)).toEqual([]);
  });

  it('has a schema whose root is an object, the same bytes every time', () => {
    const schema = schemaOf(tool.input);
    expect([schema.type, typeof schema.properties]).toEqual(['object', 'object']);
    expect(JSON.stringify(schemaOf(tool.input))).toBe(JSON.stringify(schema));
  });

  it('declares capabilities that fit together', () => {
    expect(tool.capabilities.length).toBeGreaterThan(0);
    expect(tool.capabilities.includes('read-only') && tool.capabilities.includes('writes-files')).toBe(false);
    expect(tool.supportsParallel === true && !readOnly).toBe(false);
  });

  it('sums up every valid input in one short line and never throws', () => {
    for (const input of inputs) {
      const summary = tool.summarize?.(input as never) ?? '';
      expect(summary).not.toMatch(/\n/);
      expect(summary.length).toBeLessThanOrEqual(240);
    }
  });

  it('names the paths it touches in their one spelling', () => {
    expect(tool.pathsFor === undefined && Object.keys(schemaOf(tool.input).properties ?? {}).includes('path')).toBe(false);
    for (const input of inputs) {
      const { reads = [], writes = [], places = [] } = tool.pathsFor?.(input as never) ?? {};
      for (const path of [...reads, ...writes, ...places]) expect(path).not.toMatch(/^\/|\/\/|^\.{1,2}(\/|$)|\/$/);
      expect(readOnly && writes.length + places.length > 0).toBe(false);
    }
  });

  it('refuses every path that leaves the workspace, before and inside the body, and touches nothing', async () => {
    for (const field of pathFields.filter((candidate) => candidate in (schemaOf(tool.input).properties ?? {}))) {
      for (const path of ['../secret', 'src/../../secret', '/etc/passwd', 'a\0b']) {
        const world = createMemoryContext({ files, spills, readOnly: true, run: () => ({ exitCode: 0, output: '', producedBytes: 0 }) });
        const input = tool.input.parse({ ...(samples[name]?.[0] as object), [field]: path });
        expect(tool.validateInput?.(input as never)?.kind).toBe('path-escape');
        expect(tool.pathsFor?.(input as never)).toBeDefined();
        await expect(tool.execute(input as never, world.context).catch((error: unknown) => codeOf(error))).resolves.toBe('path-escape');
        expect(world.commands).toEqual([]);
      }
    }
  });

  if (readOnly) {
    it('never writes', async () => {
      const world = createMemoryContext({ files, spills, readOnly: true });
      const before = world.paths();
      for (const input of inputs) {
        const problem = await runTool(tool, input, world.context).then(
          () => undefined,
          (error: unknown) => codeOf(error),
        );
        expect(problem).not.toBe('permission-denied');
      }
      expect(world.paths()).toEqual(before);
    });
  }

  it('that writes, and changes no file by it, says which places it touches instead', () => {
    if (!tool.capabilities.includes('writes-files') || tool.previewChanges !== undefined) return;
    for (const input of inputs) expect(tool.pathsFor?.(input as never)?.places ?? []).not.toEqual([]);
  });

  if (tool.previewChanges !== undefined) {
    it('previews exactly the change that it then makes', async () => {
      const input = inputs[0] as never;
      const preview = await tool.previewChanges?.(input, createMemoryContext({ files, undo, readOnly: true }).context);
      const result = await tool.execute(input, createMemoryContext({ files, undo }).context);
      expect(preview).toEqual(result.changes);
      expect(preview).not.toEqual([]);
    });
  }
});
