import { describe, expect, it } from 'vitest';
import { createWorkspaceFiles, type WorkspaceFiles } from '@/lib/client/workspace-files';
import type { FileSystemChange, RuntimeFileSystem } from '@/lib/contracts/runtime';
import { decodeUtf8, encodeUtf8 } from '@/lib/shared/bytes';
import { CodedError } from '@/lib/shared/coded-error';

/** The few calls that the page makes, over a map; `tell` plays the watcher, so that a test owns the moment. */
function mapFs(files: Map<string, string>) {
  const listeners = new Set<(changes: readonly FileSystemChange[]) => void>();
  const absent = (path: string): never => {
    throw new CodedError('not-found', `there is no ${path}`);
  };
  const fs: RuntimeFileSystem = {
    readFile: async (path) => encodeUtf8(files.get(path) ?? absent(path)),
    readMany: async () => [],
    writeFile: async (path, data) => void files.set(path, typeof data === 'string' ? data : decodeUtf8(data)),
    readdir: async (path) => {
      const prefix = path === '.' ? '' : `${path}/`;
      const inside = [...files.keys()].filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));
      const folders = new Set(inside.flatMap((name) => (name.includes('/') ? [name.split('/')[0] ?? ''] : [])));
      return [
        ...inside.filter((name) => !name.includes('/')).map((name) => ({ name, kind: 'file' as const })),
        ...[...folders].map((name) => ({ name, kind: 'directory' as const })),
      ];
    },
    stat: async (path) => (files.has(path) ? { kind: 'file', size: files.get(path)?.length ?? 0, modifiedAtMs: 0 } : undefined),
    mkdir: async () => undefined,
    rm: async (path) => void files.delete(path),
    rename: async () => undefined,
    watch: (_path, listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const tell = (...changes: FileSystemChange[]): void => {
    for (const listener of listeners) listener(changes);
  };
  return { fs, tell };
}

const settle = async (): Promise<void> => {
  for (let i = 0; i < 20; i++) await Promise.resolve();
};
async function opened(
  files: Map<string, string>,
  path = 'src/a.ts',
): Promise<{ readonly page: WorkspaceFiles; readonly tell: ReturnType<typeof mapFs>['tell'] }> {
  const { fs, tell } = mapFs(files);
  const page = createWorkspaceFiles(fs);
  await page.open(path);
  await settle();
  return { page, tell };
}

describe('the workspace on the page', () => {
  it('reads folders when they are opened, folders first, without the history', async () => {
    const { page } = await opened(
      new Map([
        ['b.md', ''],
        ['src/a.ts', ''],
        ['.git/HEAD', ''],
      ]),
    );
    expect(page.state().folders['']).toEqual([
      { name: 'src', kind: 'directory' },
      { name: 'b.md', kind: 'file' },
    ]);
    page.toggleFolder('src');
    await settle();
    expect(page.state().folders['src']).toEqual([{ name: 'a.ts', kind: 'file' }]);
  });

  it('shows what changed on disk, and a new file in an open folder', async () => {
    const disk = new Map([['src/a.ts', 'one']]);
    const { page, tell } = await opened(disk);
    page.toggleFolder('src');
    disk.set('src/a.ts', 'two').set('src/b.ts', '');
    tell({ path: 'src/a.ts', kind: 'changed' }, { path: 'src/b.ts', kind: 'changed' });
    await settle();
    expect(page.state().files.buffers['src/a.ts']?.text).toBe('two');
    expect(page.state().folders['src']?.map((entry) => entry.name)).toEqual(['a.ts', 'b.ts']);
  });

  it('saves, and does not overwrite a change that nobody has told of yet', async () => {
    const disk = new Map([['src/a.ts', 'one']]);
    const { page } = await opened(disk);
    page.change({ type: 'typed', path: 'src/a.ts', text: 'mine' });
    await page.save('src/a.ts');
    expect([disk.get('src/a.ts'), page.state().files.buffers['src/a.ts']?.disk]).toEqual(['mine', 'mine']);
    page.change({ type: 'typed', path: 'src/a.ts', text: 'mine again' });
    disk.set('src/a.ts', 'of the agent');
    await page.save('src/a.ts');
    expect([disk.get('src/a.ts'), page.state().files.buffers['src/a.ts']?.theirs]).toEqual(['of the agent', 'of the agent']);
    page.change({ type: 'kept-mine', path: 'src/a.ts' });
    await page.save('src/a.ts');
    expect(disk.get('src/a.ts')).toBe('mine again');
  });

  it('keeps unsaved text over a restart of the engine, held against what is on disk by then', async () => {
    const disk = new Map([['src/a.ts', 'one']]);
    const { page } = await opened(disk);
    page.change({ type: 'typed', path: 'src/a.ts', text: 'mine' });
    page.dispose();
    disk.set('src/a.ts', 'two');
    const again = createWorkspaceFiles(mapFs(disk).fs, page.state().files);
    await settle();
    expect(again.state().files.buffers['src/a.ts']).toEqual({ path: 'src/a.ts', disk: 'one', text: 'mine', revision: 0, theirs: 'two' });
  });

  it('says in words why a file does not open, and opens nothing', async () => {
    const { page } = await opened(new Map([['a.bin', 'a\u0000b']]), 'a.bin');
    expect([page.state().problem, page.state().files.tabs]).toEqual(['a.bin is not text, so the editor does not open it.', []]);
    await page.open('gone.ts');
    expect(page.state().problem).toBe('gone.ts is not there any more.');
  });

  it('opens the agent’s edit behind the file a person works in, and in front when asked for', async () => {
    const { page } = await opened(new Map([['src/a.ts', 'one']]));
    const edit = { callId: 'call-1' as never, path: 'src/b.ts', before: 'x', after: 'y' };
    page.followEdit(edit, true);
    expect([page.state().files.active, page.state().files.tabs.map((tab) => tab.id)]).toEqual(['file:src/a.ts', ['file:src/a.ts', 'edit:src/b.ts']]);
    page.followEdit({ ...edit, before: 'y', after: 'z' }, false);
    expect([page.state().files.active, page.state().files.tabs.length]).toEqual(['edit:src/b.ts', 2]);
  });

  it('saves the policy file as the person’s word, and every other file as ever', async () => {
    const disk = new Map([['gatehouse.policy.json', '{}']]);
    const said: string[] = [];
    let problem: string | undefined;
    const page = createWorkspaceFiles(mapFs(disk).fs, undefined, async (text) => {
      said.push(text);
      if (problem !== undefined) return { problem };
      disk.set('gatehouse.policy.json', text);
      return {};
    });
    await page.open('gatehouse.policy.json');
    page.change({ type: 'typed', path: 'gatehouse.policy.json', text: '{"version": 1}' });
    await page.save('gatehouse.policy.json');
    problem = 'Another tab writes this session.';
    page.change({ type: 'typed', path: 'gatehouse.policy.json', text: '{"version": 2}' });
    await page.save('gatehouse.policy.json');
    await page.createFile('notes.md');
    expect([said, page.state().problem, disk.get('notes.md')]).toEqual([
      ['{"version": 1}', '{"version": 2}'],
      'gatehouse.policy.json was not saved; your text is still in the editor: Another tab writes this session.',
      '',
    ]);
  });
});
