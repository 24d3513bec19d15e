import { beforeEach, describe, expect, it } from 'vitest';
import type { EngineEvent } from '@/lib/contracts/events';
import type { CallId, SessionId, SpillRef, WorkspaceId } from '@/lib/contracts/ids';
import type { SessionRecord, SpillRecord, Stores, WorkspaceRecord } from '@/lib/contracts/store';
import type { PathChange, SnapshotRecord, UndoId } from '@/lib/contracts/undo';
import { codeOf } from '@/lib/shared/coded-error';

const DAY = 24 * 60 * 60 * 1000;
const NOW = Date.UTC(2026, 11, 1);

export function spill(ref: string, text: string, createdAt = NOW): SpillRecord {
  return {
    ref: ref as SpillRef,
    sessionId: 's' as SessionId,
    callId: 'c' as CallId,
    tool: 'exec_shell',
    createdAt,
    text,
    bytes: new TextEncoder().encode(text).length,
  };
}

export function event(sessionId: string, seq: number, text = `event ${seq}`): EngineEvent {
  return { sessionId: sessionId as SessionId, seq, at: NOW + seq, type: 'notice', level: 'info', code: 'note', text };
}

function session(id: string, updatedAt: number): SessionRecord {
  return { sessionId: id as SessionId, workspaceId: 'w' as WorkspaceId, title: id, createdAt: NOW, updatedAt, mode: 'ask' };
}

function workspace(id: string): WorkspaceRecord {
  return {
    workspaceId: id as WorkspaceId,
    name: id,
    createdAt: NOW,
    grants: [{ key: 'exec_shell npm test', tool: 'exec_shell', covers: 'npm test', grantedAt: NOW }],
  };
}

const bytes = (text: string) => new TextEncoder().encode(text);
const readable = (files: readonly { readonly path: string; readonly bytes: Uint8Array }[]) =>
  files.map((file) => [file.path, new TextDecoder().decode(file.bytes)]);

export function snapshot(key: string, changes: readonly PathChange[], createdAt = NOW, workspaceId = 'w'): SnapshotRecord {
  return { key: key as UndoId, workspaceId: workspaceId as WorkspaceId, sessionId: 's' as SessionId, createdAt, changes };
}

async function failure(work: Promise<unknown>): Promise<string | undefined> {
  return work.then(
    () => undefined,
    (error: unknown) => codeOf(error),
  );
}

/** What every implementation of `Stores` promises. */
export function storesContract(name: string, open: () => Promise<Stores>): void {
  describe(`stores: ${name}`, () => {
    let stores: Stores;
    beforeEach(async () => {
      stores = await open();
    });

    describe('spills', () => {
      it('come back whole', async () => {
        const record = { ...spill('a1', 'héllo\n\u0000😀'), origin: 'example.com' };
        expect(await stores.spills.write(record)).toEqual({ saved: true, removedForRoom: [] });
        expect(await stores.spills.read('a1' as SpillRef)).toEqual(record);
      });

      it('of the same id keep the later text', async () => {
        await stores.spills.write(spill('a1', 'partial'));
        await stores.spills.write(spill('a1', 'partial and more'));
        expect((await stores.spills.read('a1' as SpillRef))?.text).toBe('partial and more');
        expect(await stores.spills.list()).toHaveLength(1);
      });

      it('under hostile ids stay inside the store and are found under the id as given', async () => {
        for (const id of ['../../etc/passwd', '/abs', 'a/b', '..\\x']) expect(await stores.spills.write(spill(id, id))).toMatchObject({ saved: true });
        expect((await stores.spills.list()).map((entry) => entry.ref).sort()).toEqual(['______etc_passwd', '___x', '_abs', 'a_b']);
        expect((await stores.spills.read('a/b' as SpillRef))?.text).toBe('a/b');
      });

      it('without a letter or digit in the id are not stored', async () => {
        for (const id of ['', '../..', '—']) expect(await stores.spills.write(spill(id, 'x'))).toMatchObject({ saved: false, reason: 'bad-ref' });
        expect(await stores.spills.list()).toEqual([]);
      });

      it('are listed without their text, newest first', async () => {
        await stores.spills.write(spill('old', 'aaaa', NOW - DAY));
        await stores.spills.write(spill('new', 'bb', NOW));
        const { text: _old, ...old } = spill('old', 'aaaa', NOW - DAY);
        const { text: _new, ...fresh } = spill('new', 'bb', NOW);
        expect(await stores.spills.list()).toEqual([fresh, old]);
      });

      it('older than seven days are cleaned up, younger ones stay', async () => {
        for (const days of [6.9, 7.1, 30]) await stores.spills.write(spill(`d${days}`, 'x', NOW - days * DAY));
        expect(await stores.spills.cleanUp(NOW)).toEqual(['d30', 'd7_1']);
        expect((await stores.spills.list()).map((entry) => entry.ref)).toEqual(['d6_9']);
      });

      it('can be removed, and an unknown id is nothing', async () => {
        await stores.spills.write(spill('a1', 'x'));
        await stores.spills.remove('a1' as SpillRef);
        await stores.spills.remove('never' as SpillRef);
        expect(await stores.spills.read('a1' as SpillRef)).toBeUndefined();
        expect(await stores.spills.read('' as SpillRef)).toBeUndefined();
      });
    });

    describe('snapshots', () => {
      const w = 'w' as WorkspaceId;
      const big: PathChange[] = [
        { path: 'a.txt', before: null, after: { bytes: bytes('new') } },
        { path: 'b.bin', before: { bytes: new Uint8Array([0, 255, 13, 10]) }, after: null },
        { path: 'd', before: { directory: true }, after: { bytes: bytes('new') } },
        { path: 'empty', before: { bytes: new Uint8Array() }, after: { directory: true } },
      ];

      it('come back whole, byte for byte', async () => {
        expect(await stores.snapshots.write(snapshot('c1', big))).toEqual({ saved: true, removedForRoom: [] });
        expect(await stores.snapshots.read(w, 'c1' as CallId)).toEqual(snapshot('c1', big));
        expect(await stores.snapshots.read(w, 'c2' as CallId)).toBeUndefined();
        expect(await stores.snapshots.read('other' as WorkspaceId, 'c1' as CallId)).toBeUndefined();
      });

      it('of the same key keep the later one, and say while they are open', async () => {
        await stores.snapshots.write({ ...snapshot('c1', big, NOW), open: true });
        await stores.snapshots.write(snapshot('c0', [], NOW - 1));
        expect(await stores.snapshots.keys(w)).toEqual([
          { key: 'c0', open: false },
          { key: 'c1', open: true },
        ]);
        expect((await stores.snapshots.read(w, 'c1' as CallId))?.open).toBe(true);
        await stores.snapshots.write(snapshot('c1', big.slice(0, 1), NOW));
        expect(await stores.snapshots.read(w, 'c1' as CallId)).toEqual(snapshot('c1', big.slice(0, 1)));
      });

      it('do not keep a view onto bytes that go on changing', async () => {
        const shared = bytes('before');
        await stores.snapshots.write(snapshot('c1', [{ path: 'a', before: { bytes: shared }, after: null }]));
        shared.fill(0);
        expect((await stores.snapshots.read(w, 'c1' as CallId))?.changes[0]?.before).toEqual({ bytes: bytes('before') });
      });

      it('that let go of a content leave it to those that still name it', async () => {
        const [one, two] = [bytes('one'), bytes('two')];
        await stores.snapshots.write(snapshot('c1', [{ path: 'a', before: { bytes: one }, after: { bytes: two } }]));
        await stores.snapshots.write(snapshot('c2', [{ path: 'b', before: { bytes: two }, after: { bytes: one } }]));
        await stores.snapshots.write(snapshot('c1', []));
        expect((await stores.snapshots.read(w, 'c2' as CallId))?.changes).toEqual([{ path: 'b', before: { bytes: two }, after: { bytes: one } }]);
      });

      it('beyond the number that is kept remove the oldest and name them', async () => {
        for (let n = 0; n < 300; n++) await stores.snapshots.write(snapshot(`c${n}`, [{ path: 'a', before: null, after: { bytes: bytes(`${n}`) } }], NOW + n));
        expect(await stores.snapshots.write(snapshot('last', [], NOW + 999))).toEqual({ saved: true, removedForRoom: ['c0'] });
        expect((await stores.snapshots.keys(w)).length).toBe(300);
        expect(await stores.snapshots.read(w, 'c0' as CallId)).toBeUndefined();
      });

      it('of one workspace are removed together, and no other', async () => {
        await stores.snapshots.write(snapshot('c1', big));
        await stores.snapshots.write(snapshot('c1', big, NOW, 'w2'));
        await stores.snapshots.remove(w);
        expect(await stores.snapshots.keys(w)).toEqual([]);
        expect((await stores.snapshots.read('w2' as WorkspaceId, 'c1' as CallId))?.changes).toEqual(big);
      });
    });

    describe('sessions', () => {
      it('are listed newest first and replaced by id', async () => {
        await stores.sessions.put(session('a', 1));
        await stores.sessions.put(session('b', 2));
        await stores.sessions.put({ ...session('a', 3), title: 'renamed' });
        expect(await stores.sessions.list()).toEqual([{ ...session('a', 3), title: 'renamed' }, session('b', 2)]);
        expect(await stores.sessions.get('b' as SessionId)).toEqual(session('b', 2));
        expect(await stores.sessions.get('zz' as SessionId)).toBeUndefined();
      });

      it('keep their events in order, each session its own', async () => {
        await stores.sessions.append('a' as SessionId, [event('a', 0), event('a', 1)]);
        await stores.sessions.append('ab' as SessionId, [event('ab', 0)]);
        await stores.sessions.append('a' as SessionId, [event('a', 2)]);
        await stores.sessions.append('a' as SessionId, []);
        expect(await stores.sessions.events('a' as SessionId)).toEqual({ events: [event('a', 0), event('a', 1), event('a', 2)], damaged: 0 });
        expect(await stores.sessions.events('ab' as SessionId)).toEqual({ events: [event('ab', 0)], damaged: 0 });
      });

      it('sort events by number, not by spelling', async () => {
        const events = Array.from({ length: 120 }, (_, seq) => event('a', seq));
        await stores.sessions.append('a' as SessionId, [...events].reverse());
        expect((await stores.sessions.events('a' as SessionId)).events.map((stored) => stored.seq)).toEqual(events.map((stored) => stored.seq));
      });

      it('refuse an event whose number is taken, and then store none of the group', async () => {
        await stores.sessions.append('a' as SessionId, [event('a', 0), event('a', 1)]);
        expect(await failure(stores.sessions.append('a' as SessionId, [event('a', 2), event('a', 1, 'other')]))).toBe('already-exists');
        expect(await stores.sessions.events('a' as SessionId)).toEqual({ events: [event('a', 0), event('a', 1)], damaged: 0 });
      });

      it('leave out damaged events and count them', async () => {
        const damaged = [
          { ...event('a', 1), type: undefined },
          { ...event('b', 2) },
          { ...event('a', 3), type: 'text-delta', text: { not: 'text' } },
          { ...event('a', 4), type: 'plan-end', stepId: 's', calls: [{ callId: 'c' }], batches: [] },
          { ...event('a', 5), type: 'of-another-version' },
        ] as unknown as EngineEvent[];
        await stores.sessions.append('a' as SessionId, [event('a', 0), ...damaged, event('a', 6)]);
        expect(await stores.sessions.events('a' as SessionId)).toEqual({ events: [event('a', 0), event('a', 6)], damaged: 5 });
      });

      it('take their events with them when removed', async () => {
        await stores.sessions.put(session('a', 1));
        await stores.sessions.append('a' as SessionId, [event('a', 0)]);
        await stores.sessions.append('b' as SessionId, [event('b', 0)]);
        await stores.sessions.remove('a' as SessionId);
        expect(await stores.sessions.get('a' as SessionId)).toBeUndefined();
        expect(await stores.sessions.events('a' as SessionId)).toEqual({ events: [], damaged: 0 });
        expect((await stores.sessions.events('b' as SessionId)).events).toHaveLength(1);
      });
    });

    describe('workspaces', () => {
      const w = 'w' as WorkspaceId;

      it('keep their record', async () => {
        await stores.workspaces.put(workspace('w'));
        await stores.workspaces.put(workspace('v'));
        expect(await stores.workspaces.get(w)).toEqual(workspace('w'));
        expect(await stores.workspaces.list()).toEqual([workspace('v'), workspace('w')]);
      });

      it('give back files and folders sorted by path, empty folders too', async () => {
        await stores.workspaces.writeFiles(w, [
          { path: 'src', directory: true },
          { path: 'src/b.ts', bytes: bytes('b') },
          { path: 'empty', directory: true },
          { path: 'a.ts', bytes: bytes('a') },
          { path: 'zero', bytes: new Uint8Array() },
        ]);
        const { files, directories } = await stores.workspaces.loadFiles(w);
        expect(readable(files)).toEqual([
          ['a.ts', 'a'],
          ['src/b.ts', 'b'],
          ['zero', ''],
        ]);
        expect(directories).toEqual(['empty', 'src']);
      });

      it('forget a removed path and what was below it, and nothing that is only spelt alike', async () => {
        await stores.workspaces.writeFiles(
          w,
          ['src/a', 'src/deep/b', 'src-old/c', 'src0', 'src.ts'].map((path) => ({ path, bytes: bytes(path) })),
        );
        await stores.workspaces.writeFiles(w, [{ path: 'src', bytes: null }]);
        expect((await stores.workspaces.loadFiles(w)).files.map((file) => file.path)).toEqual(['src-old/c', 'src.ts', 'src0']);
      });

      it('store only the bytes of a view, as they were when given', async () => {
        const whole = bytes('0123456789');
        const written = stores.workspaces.writeFiles(w, [{ path: 'view', bytes: whole.subarray(2, 5) }]);
        whole.fill(0x78);
        await written;
        const [file] = (await stores.workspaces.loadFiles(w)).files;
        expect([new TextDecoder().decode(file?.bytes), file?.bytes.buffer.byteLength]).toEqual(['234', 3]);
      });

      it('take shared memory', async () => {
        const shared = new Uint8Array(new SharedArrayBuffer(2));
        shared.set([104, 105]);
        await stores.workspaces.writeFiles(w, [{ path: 'shared', bytes: shared }]);
        expect(readable((await stores.workspaces.loadFiles(w)).files)).toEqual([['shared', 'hi']]);
      });

      it('take their files with them when removed, and no others', async () => {
        await stores.workspaces.put(workspace('w'));
        await stores.workspaces.writeFiles(w, [{ path: 'a', bytes: bytes('a') }]);
        await stores.workspaces.writeFiles('w2' as WorkspaceId, [{ path: 'b', bytes: bytes('b') }]);
        await stores.workspaces.remove(w);
        expect(await stores.workspaces.get(w)).toBeUndefined();
        expect(await stores.workspaces.loadFiles(w)).toEqual({ files: [], directories: [] });
        expect(readable((await stores.workspaces.loadFiles('w2' as WorkspaceId)).files)).toEqual([['b', 'b']]);
      });
    });
  });
}
