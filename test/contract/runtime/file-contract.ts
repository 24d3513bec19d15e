import { describe, expect, it } from 'vitest';
import type { FileSystemChange, Runtime } from '@/lib/contracts/runtime';
import { encodeUtf8 } from '@/lib/shared/bytes';
import { runShell } from './run-program';

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** Files as every driver shows them. */
export function describeFileContract(current: () => Runtime): void {
  describe('files', () => {
    it('text and bytes come back as they were written', async () => {
      const { fs } = current();
      await fs.writeFile('a.txt', 'größe 🌱\r\n');
      const all = Uint8Array.from({ length: 256 }, (_, i) => i);
      await fs.writeFile('all.bin', all);
      expect(text(await fs.readFile('a.txt'))).toBe('größe 🌱\r\n');
      expect(new Uint8Array(await fs.readFile('all.bin'))).toEqual(all);
      expect((await fs.stat('all.bin'))?.size).toBe(256);
    });

    it('neither what was given nor what is got is shared with the file', async () => {
      const { fs } = current();
      const given = encodeUtf8('same');
      await fs.writeFile('a.txt', given);
      given[0] = 0;
      const got = await fs.readFile('a.txt');
      got[1] = 0;
      expect(text(await fs.readFile('a.txt'))).toBe('same');
    });

    it('each failure has its code', async () => {
      const { fs } = current();
      await fs.mkdir('folder');
      await fs.writeFile('folder/file', 'x');
      const code = (attempt: Promise<unknown>) => attempt.then(() => 'done').catch((error: { code?: string }) => error.code);
      expect({
        readAbsent: await code(fs.readFile('none')),
        readFolder: await code(fs.readFile('folder')),
        writeFolder: await code(fs.writeFile('folder', 'x')),
        writeNoParent: await code(fs.writeFile('none/a', 'x')),
        writeBelowFile: await code(fs.writeFile('folder/file/a', 'x')),
        listAbsent: await code(fs.readdir('none')),
        listFile: await code(fs.readdir('folder/file')),
        makeAgain: await code(fs.mkdir('folder')),
        makeAgainRecursive: await code(fs.mkdir('folder', { recursive: true })),
        makeNoParent: await code(fs.mkdir('none/a')),
        removeAbsent: await code(fs.rm('none')),
        removeAbsentForced: await code(fs.rm('none', { force: true })),
        removeFull: await code(fs.rm('folder')),
        renameAbsent: await code(fs.rename('none', 'other')),
      }).toEqual({
        readAbsent: 'not-found',
        readFolder: 'is-directory',
        writeFolder: 'is-directory',
        writeNoParent: 'not-found',
        writeBelowFile: 'not-a-directory',
        listAbsent: 'not-found',
        listFile: 'not-a-directory',
        makeAgain: 'already-exists',
        makeAgainRecursive: 'done',
        makeNoParent: 'not-found',
        removeAbsent: 'not-found',
        removeAbsentForced: 'done',
        removeFull: 'not-empty',
        renameAbsent: 'not-found',
      });
    });

    it('a path that leaves the workspace is refused by every method', async () => {
      const { fs } = current();
      for (const path of ['../x', 'a/../../x', '/etc/passwd', '/', 'a\0b']) {
        for (const attempt of [
          fs.readFile(path),
          fs.writeFile(path, 'x'),
          fs.readdir(path),
          fs.stat(path),
          fs.mkdir(path),
          fs.rm(path),
          fs.rename(path, 'a'),
          fs.rename('a', path),
          fs.readMany([path]),
        ]) {
          await expect(attempt).rejects.toMatchObject({ code: 'path-escape' });
        }
      }
      await expect(current().mount([{ path: '../x', bytes: new Uint8Array() }])).rejects.toMatchObject({ code: 'path-escape' });
      await expect(current().spawn('sh', ['-c', 'true'], { cwd: '../x' })).rejects.toMatchObject({ code: 'path-escape' });
      expect(await fs.readdir('')).toEqual([]);
    });

    it('dots and doubled slashes inside a path mean what they mean elsewhere', async () => {
      const { fs } = current();
      await fs.mkdir('a/b', { recursive: true });
      await fs.writeFile('./a//b/../b/./c.txt', 'x');
      expect(await fs.readdir('a/b/')).toEqual([{ name: 'c.txt', kind: 'file' }]);
      expect((await fs.stat('.'))?.kind).toBe('directory');
    });

    it('stat tells kind and size, and nothing for what is absent', async () => {
      const { fs } = current();
      await fs.mkdir('folder');
      await fs.writeFile('file', '12345');
      const { modifiedAtMs, ...file } = (await fs.stat('file')) ?? { modifiedAtMs: 0 };
      expect(file).toEqual({ kind: 'file', size: 5 });
      expect(Number.isFinite(modifiedAtMs)).toBe(true);
      expect(await fs.stat('folder')).toMatchObject({ kind: 'directory', size: 0 });
      expect(await fs.stat('none')).toBeUndefined();
    });

    it('a folder moves with all that is in it, and a file replaces a file', async () => {
      const { fs } = current();
      await fs.mkdir('from/deep', { recursive: true });
      await fs.writeFile('from/deep/a', '1');
      await fs.writeFile('b', '2');
      await fs.rename('from', 'to');
      await fs.rename('b', 'to/deep/a');
      expect(await fs.stat('from')).toBeUndefined();
      expect(text(await fs.readFile('to/deep/a'))).toBe('2');
    });

    it('readMany leaves out what is absent or a folder', async () => {
      const { fs } = current();
      await fs.mkdir('folder');
      await fs.writeFile('a', '1');
      await fs.writeFile('b', '2');
      expect((await fs.readMany(['b', 'none', 'folder', 'a'])).map(({ path, bytes }) => [path, text(bytes)])).toEqual([
        ['b', '2'],
        ['a', '1'],
      ]);
    });

    it('names with spaces, quotes, dollars and emoji are names', async () => {
      const { fs } = current();
      const names = [' lead', "it's", 'say "hi"', '$HOME', 'a*b?', 'back\\slash', 'ünï 🌱', '-rf', 'new\nline'];
      for (const name of names) await fs.writeFile(name, name);
      expect((await fs.readdir('')).map((entry) => entry.name).sort()).toEqual([...names].sort());
      for (const name of names) expect(text(await fs.readFile(name))).toBe(name);
    });

    it('what is mounted is exported, sorted, and mounting replaces equal paths only', async () => {
      const runtime = current();
      await runtime.fs.writeFile('z', 'old');
      await runtime.fs.writeFile('kept', 'kept');
      await runtime.mount([
        { path: 'z', bytes: encodeUtf8('new') },
        { path: '.git/HEAD', bytes: encodeUtf8('ref') },
        { path: 'a/b/c', bytes: encodeUtf8('deep') },
      ]);
      expect((await runtime.exportFiles()).map(({ path, bytes }) => [path, text(bytes)])).toEqual([
        ['.git/HEAD', 'ref'],
        ['a/b/c', 'deep'],
        ['kept', 'kept'],
        ['z', 'new'],
      ]);
    });

    it('a watcher is told of changes below its path, whoever makes them, in few groups', async () => {
      const runtime = current();
      await runtime.fs.mkdir('seen');
      const told: FileSystemChange[] = [];
      let groups = 0;
      let wake: () => void = () => undefined;
      const stop = runtime.fs.watch('seen', (changes) => {
        groups++;
        told.push(...changes);
        wake();
      });
      const until = async (path: string, kind: FileSystemChange['kind']): Promise<void> => {
        while (!told.some((change) => change.path === path && change.kind === kind)) {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      };
      await runtime.fs.writeFile('unseen', 'x');
      await Promise.all(Array.from({ length: 30 }, (_, i) => runtime.fs.writeFile(`seen/${i}`, 'x')));
      await until('seen/29', 'changed');
      expect(groups).toBeLessThan(10);
      await runShell(runtime, 'echo hi > seen/by-shell; rm seen/3');
      await until('seen/by-shell', 'changed');
      await until('seen/3', 'removed');
      stop();
      expect(told.some((change) => change.path === 'unseen')).toBe(false);
    });
  });
}
