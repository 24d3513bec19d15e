import { describe, expect, it } from 'vitest';
import { changeFiles, type FileAction, isDirty, noFiles, type OpenFiles } from '@/lib/client/open-files';

const after = (...actions: FileAction[]): OpenFiles => actions.reduce(changeFiles, noFiles);
const opened: FileAction = { type: 'opened', path: 'a.ts', text: 'one' };
const typed: FileAction = { type: 'typed', path: 'a.ts', text: 'mine' };
const news: FileAction = { type: 'disk-changed', path: 'a.ts', text: 'theirs' };

describe('open files', () => {
  it('follow the disk while nothing was typed', () => {
    expect(after(opened, news).buffers['a.ts']).toEqual({ path: 'a.ts', disk: 'theirs', text: 'theirs', revision: 1 });
  });

  it('keep unsaved text when the disk changes, and hold both versions', () => {
    expect(after(opened, typed, news).buffers['a.ts']).toEqual({ path: 'a.ts', disk: 'one', text: 'mine', revision: 0, theirs: 'theirs' });
  });

  it('are clean again once saved, also when the watcher tells of that very save', () => {
    const saved = after(opened, typed, { type: 'saved', path: 'a.ts', text: 'mine' }, { type: 'disk-changed', path: 'a.ts', text: 'mine' });
    expect(saved.buffers['a.ts']).toEqual({ path: 'a.ts', disk: 'mine', text: 'mine', revision: 0 });
  });

  it('stay dirty when typing went on during the save', () => {
    const files = after(opened, typed, { type: 'typed', path: 'a.ts', text: 'mine too' }, { type: 'saved', path: 'a.ts', text: 'mine' });
    expect(isDirty(files.buffers['a.ts'])).toBe(true);
  });

  it('can keep mine, which is then unsaved against theirs', () => {
    expect(after(opened, typed, news, { type: 'kept-mine', path: 'a.ts' }).buffers['a.ts']).toEqual({
      path: 'a.ts',
      disk: 'theirs',
      text: 'mine',
      revision: 0,
    });
  });

  it('can take theirs, which the editor then has to show', () => {
    expect(after(opened, typed, news, { type: 'took-theirs', path: 'a.ts' }).buffers['a.ts']).toEqual({
      path: 'a.ts',
      disk: 'theirs',
      text: 'theirs',
      revision: 1,
    });
  });

  it('keep the text of a file that was removed until the person lets it go', () => {
    const gone = after(opened, { type: 'disk-changed', path: 'a.ts', text: null });
    expect(gone.buffers['a.ts']?.theirs).toBe(null);
    expect(changeFiles(gone, { type: 'took-theirs', path: 'a.ts' })).toEqual(noFiles);
  });

  it('show the tab that is there rather than a second one, and the neighbour of a closed one', () => {
    const two = after(opened, { type: 'opened', path: 'b.ts', text: '' }, opened);
    expect([two.tabs.map((tab) => tab.id), two.active]).toEqual([['file:a.ts', 'file:b.ts'], 'file:a.ts']);
    expect(changeFiles(two, { type: 'closed', id: 'file:a.ts' }).active).toBe('file:b.ts');
  });

  it('are not read again over unsaved text when opened a second time', () => {
    expect(after(opened, typed, { type: 'opened', path: 'a.ts', text: 'one' }).buffers['a.ts']?.text).toBe('mine');
  });
});
