import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MemoryFiles } from '@/lib/runtime/embedded/memory-files';
import { applyChange, changeAt } from '@/lib/runtime/embedded/snapshot-feed';
import { type FileCall, runFileCall } from '@/lib/runtime/embedded/sync-files';

const path = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 3 }).map((parts) => `/workspace/${parts.join('/')}`);
const call: fc.Arbitrary<FileCall> = fc.oneof(
  fc.record({ op: fc.constant('writeFile' as const), args: fc.tuple(path, fc.uint8Array({ maxLength: 4 })) }),
  fc.record({ op: fc.constant('appendFile' as const), args: fc.tuple(path, fc.uint8Array({ maxLength: 4 })) }),
  fc.record({ op: fc.constant('mkdir' as const), args: fc.tuple(path, fc.boolean()) }),
  fc.record({ op: fc.constant('rm' as const), args: fc.tuple(path, fc.record({ recursive: fc.boolean(), force: fc.boolean() })) }),
  fc.record({ op: fc.constant('rename' as const), args: fc.tuple(path, path) }),
) as fc.Arbitrary<FileCall>;

const tree = (files: MemoryFiles): readonly [string, string][] =>
  files
    .walk('/workspace')
    .map((entry) => [entry.path, entry.kind === 'file' ? files.readFile(entry.path).join() : 'folder'] as [string, string])
    .sort();

it('whoever follows the changes ends with the same tree, also when every operation may fail', () => {
  fc.assert(
    fc.property(fc.array(call, { maxLength: 40 }), (calls) => {
      const files = new MemoryFiles(() => 1);
      const follower = new MemoryFiles(() => 1);
      const dirty = new Set<string>();
      files.onChange((change) => {
        applyChange(follower, changeAt(files, change.path));
        dirty.add(change.path);
      });
      for (const one of calls) {
        try {
          runFileCall(files, one);
        } catch (error) {
          expect(error).toMatchObject({ code: expect.stringMatching(/^(not-found|is-directory|not-a-directory|not-empty|already-exists)$/) });
        }
      }
      expect(tree(follower)).toEqual(tree(files));
      const late = new MemoryFiles(() => 1);
      for (const changed of [...dirty].sort()) if (files.stat(changed)) applyChange(late, changeAt(files, changed));
      expect(tree(late)).toEqual(tree(files));
    }),
    { numRuns: 500 },
  );
});

it('programs write below the workspace and the scratch folder only', () => {
  const files = new MemoryFiles();
  for (const target of ['/etc', '/x', '/workspace', '/workspaces/x']) {
    expect(() => files.mkdir(`${target}`, false)).toThrow(expect.objectContaining({ code: target === '/workspace' ? 'already-exists' : 'path-escape' }));
  }
  expect(() => files.rm('/workspace', { recursive: true, force: true })).toThrow(expect.objectContaining({ code: 'path-escape' }));
  files.mkdir('/tmp/a', false);
  expect(files.readdir('/')).toEqual([
    { name: 'tmp', kind: 'directory' },
    { name: 'workspace', kind: 'directory' },
  ]);
});
