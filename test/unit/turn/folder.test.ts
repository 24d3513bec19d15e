import { symlink, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { encodeUtf8 } from '@/lib/shared/bytes';
import { compareFolder, type FolderChange } from '@/scripts/turn/folder-changes';
import { copyFolder, type FolderCopy } from '@/scripts/turn/folder-copy';
import { printable } from '@/scripts/turn/printable';
import { showChanges } from '@/scripts/turn/show-changes';
import { writeBack } from '@/scripts/turn/write-back';
import { dropFolder, modeOf, putFile, readTree, tempFolder } from '@/test/support/temp-folder';

const made: string[] = [];
const folderOf = async (files: Readonly<Record<string, string | Uint8Array>>): Promise<string> => {
  const folder = await tempFolder(files);
  made.push(folder);
  return folder;
};
afterEach(async () => {
  for (const folder of made.splice(0)) await dropFolder(folder);
});

/** The copy after `edit` has changed its files: what the runtime would hold. */
const edited = (copy: FolderCopy, edit: (files: Map<string, Uint8Array>, folders: Set<string>) => void): readonly FolderChange[] => {
  const files = new Map([...copy.files].map(([name, file]) => [name, file.bytes]));
  const folders = new Set(copy.folders);
  edit(files, folders);
  return compareFolder(copy, { files: [...files].map(([name, bytes]) => ({ path: name, bytes })), folders: [...folders] }).changes;
};
const bytes = (text: string): Uint8Array => encodeUtf8(text);

describe('the copy of a folder', () => {
  it('takes files, modes and empty folders, and names what it leaves out and why', async () => {
    const folder = await folderOf({
      'a b.txt': 'text',
      'sub/ü.bin': Uint8Array.of(0, 255),
      '.git/HEAD': 'ref',
      'node_modules/x/index.js': '',
      'sub/node_modules/y.js': '',
      'empty/.keep': '',
      big: '',
    });
    await putFile(folder, 'run.sh', '#!/bin/sh\n', 0o755);
    await truncate(path.join(folder, 'big'), 11 * 1024 * 1024);
    await symlink('/etc', path.join(folder, 'etc'));
    const copy = await copyFolder(folder);
    expect([...copy.files.values()].map((file) => [file.path, file.bytes.length, file.mode.toString(8)])).toEqual([
      ['a b.txt', 4, '644'],
      ['empty/.keep', 0, '644'],
      ['run.sh', 10, '755'],
      ['sub/ü.bin', 2, '644'],
    ]);
    expect([...copy.folders]).toEqual(['empty', 'sub']);
    expect(copy.leftOut).toEqual([
      { path: '.git', why: 'git' },
      { path: 'big', why: 'large' },
      { path: 'etc', why: 'link' },
      { path: 'node_modules', why: 'node_modules' },
      { path: 'sub/node_modules', why: 'node_modules' },
    ]);
  });

  it('says in words that a folder is missing or is a file', async () => {
    const folder = await folderOf({ file: '' });
    await expect(copyFolder(path.join(folder, 'none'))).rejects.toThrow(`the folder ${path.join(folder, 'none')} does not exist`);
    await expect(copyFolder(path.join(folder, 'file'))).rejects.toThrow('is not a folder');
  });
});

describe('writing back', () => {
  it('makes what the turn made, deletes what it deleted, and keeps modes, also of a moved file', async () => {
    const folder = await folderOf({ 'a.txt': 'one\n', 'gone/deep/x': 'x', 'kept.txt': 'kept', 'node_modules/x': 'dep', '.git/HEAD': 'ref' });
    await putFile(folder, 'run.sh', 'echo 1\n', 0o755);
    await putFile(folder, 'tool', 'echo 2\n', 0o700);
    const copy = await copyFolder(folder);
    const changes = edited(copy, (files, folders) => {
      files.set('a.txt', bytes('two\n'));
      files.set('run.sh', bytes('echo 3\n'));
      files.delete('tool');
      files.set('bin/tool', bytes('echo 2\n'));
      files.delete('gone/deep/x');
      folders.delete('gone/deep');
      folders.delete('gone');
      folders.add('bin');
      folders.add('fresh');
      files.set('.git/config', bytes('hook'));
      files.set('node_modules/y', bytes('y'));
    });
    expect(await writeBack(copy.root, changes)).toEqual({ written: changes.length, problems: [] });
    expect(await readTree(folder)).toEqual({
      '.git/': '',
      '.git/HEAD': 'ref',
      'a.txt': 'two\n',
      'bin/': '',
      'bin/tool': 'echo 2\n',
      'fresh/': '',
      'kept.txt': 'kept',
      'node_modules/': '',
      'node_modules/x': 'dep',
      'run.sh': 'echo 3\n',
    });
    expect([await modeOf(folder, 'run.sh'), await modeOf(folder, 'bin/tool')]).toEqual([0o755, 0o700]);
  });

  it('a file becomes a folder, and a folder a file', async () => {
    const folder = await folderOf({ a: 'file', 'b/c': 'inner' });
    const copy = await copyFolder(folder);
    const changes = edited(copy, (files, folders) => {
      files.delete('a');
      folders.add('a');
      files.set('a/x', bytes('x'));
      files.delete('b/c');
      folders.delete('b');
      files.set('b', bytes('file'));
    });
    expect(await writeBack(copy.root, changes)).toEqual({ written: changes.length, problems: [] });
    expect(await readTree(folder)).toEqual({ 'a/': '', 'a/x': 'x', b: 'file' });
  });

  it('never goes through a link or out of the folder', async () => {
    const outside = await folderOf({ secret: 'theirs' });
    const folder = await folderOf({ 'sub/a': 'a' });
    await symlink(outside, path.join(folder, 'link'));
    await symlink(path.join(outside, 'secret'), path.join(folder, 'alias'));
    const copy = await copyFolder(folder);
    const changes = edited(copy, (files, folders) => {
      folders.add('link');
      files.set('link/secret', bytes('ours'));
      files.set('link/new', bytes('ours'));
      files.set('alias', bytes('ours'));
    });
    const escaping: FolderChange[] = [{ kind: 'add', path: `../${path.basename(outside)}/new`, after: bytes('ours') }];
    const { written, problems } = await writeBack(copy.root, [...changes, ...escaping]);
    expect({ written, problems }).toEqual({
      written: 0,
      problems: [
        'link was not written: there is something else on disk, which was left out of the copy or came while the turn ran',
        'link/secret was not written: link is a link on disk, and nothing is written through it',
        'link/new was not written: link is a link on disk, and nothing is written through it',
        'alias was not written: there is something else on disk, which was left out of the copy or came while the turn ran',
        `../${path.basename(outside)}/new was not written: its path leaves the folder`,
      ],
    });
    expect(await readTree(outside)).toEqual({ secret: 'theirs' });
  });

  it('leaves a file that changed on disk while the turn ran', async () => {
    const folder = await folderOf({ a: 'one', b: 'one', c: 'one' });
    const copy = await copyFolder(folder);
    await writeFile(path.join(folder, 'a'), 'mine');
    await writeFile(path.join(folder, 'b'), 'mine');
    await writeFile(path.join(folder, 'new'), 'mine');
    const changes = edited(copy, (files) => {
      files.set('a', bytes('two'));
      files.delete('b');
      files.set('c', bytes('two'));
      files.set('new', bytes('two'));
    });
    const { written, problems } = await writeBack(copy.root, changes);
    expect([written, problems.length]).toEqual([1, 3]);
    expect(await readTree(folder)).toEqual({ a: 'mine', b: 'mine', c: 'two', new: 'mine' });
  });

  it('a folder that still holds what was left out stays', async () => {
    const folder = await folderOf({ 'lib/a': 'a', 'lib/node_modules/x': 'x' });
    const copy = await copyFolder(folder);
    const changes = edited(copy, (files, folders) => {
      files.delete('lib/a');
      folders.delete('lib');
    });
    expect(await writeBack(copy.root, changes)).toEqual({ written: 1, problems: [] });
    expect(await readTree(folder)).toEqual({ 'lib/': '', 'lib/node_modules/': '', 'lib/node_modules/x': 'x' });
  });
});

describe('the diff', () => {
  it('shows texts with context, names binary files with their sizes, and no terminal escapes', () => {
    const before = Array.from({ length: 12 }, (_, i) => `line ${i + 1}\n`).join('');
    const changes: FolderChange[] = [
      { kind: 'remove', path: 'old', before: bytes('x') },
      { kind: 'add-folder', path: 'new dir' },
      { kind: 'modify', path: 'a', before: bytes(before), after: bytes(before.replace('line 2\n', '').replace('line 12\n', 'line twelve')), mode: 0o644 },
      { kind: 'add', path: 'ink\x1b[2J', after: bytes('\x1b]0;title\x07\n') },
      { kind: 'modify', path: 'pic', before: Uint8Array.of(0, 1), after: Uint8Array.of(0, 1, 2), mode: 0o644 },
    ];
    expect(showChanges(changes)).toBe(
      [
        'deleted file old',
        '--- a/old',
        '+++ /dev/null',
        '@@ -1,1 +0,0 @@',
        '-x',
        '\\ No newline at end of file',
        'new folder new dir/',
        'changed file a',
        '--- a/a',
        '+++ b/a',
        '@@ -1,5 +1,4 @@',
        ' line 1',
        '-line 2',
        ' line 3',
        ' line 4',
        ' line 5',
        '@@ -9,4 +8,4 @@',
        ' line 9',
        ' line 10',
        ' line 11',
        '-line 12',
        '+line twelve',
        '\\ No newline at end of file',
        'new file ink\\u001b[2J',
        '--- /dev/null',
        '+++ b/ink\\u001b[2J',
        '@@ -0,0 +1,1 @@',
        '+\\u001b]0;title\\u0007',
        'changed file pic: binary or large, 2 bytes → 3 bytes',
        '',
      ].join('\n'),
    );
  });

  it('a carriage return shows where it would move the cursor, and not at the end of a line', () => {
    expect(printable('a\r\nb\rc')).toBe('a\r\nb\\u000dc');
  });
});
