import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ChangeJournal, FileSystemChange, JournalChange, Runtime, SpawnWorker } from '@/lib/contracts/runtime';
import type { PathState } from '@/lib/contracts/undo';
import { createEmbeddedRuntime } from '@/lib/runtime/embedded/create-embedded-runtime';
import { createMovableRuntime, type MovableRuntime } from '@/lib/runtime/movable-runtime';
import { createPageHosting, type PageHosting } from '@/lib/runtime/page-hosting';
import { createWebContainerRuntime } from '@/lib/runtime/webcontainer/create-webcontainer-runtime';
import { encodeUtf8 } from '@/lib/shared/bytes';
import { codeOf } from '@/lib/shared/coded-error';
import { systemClock } from '@/lib/shared/system-clock';
import { createThreadSpawner } from '@/scripts/support/spawn-thread-worker';
import { runShell } from '@/test/contract/runtime/run-program';
import { acrossBridge } from '@/test/support/across-bridge';
import { bootWebContainerStandIn } from '@/test/support/webcontainer-stand-in';

/** The one WebContainer of the page; each offer is a new way across the bridge to it. */
let page: Runtime;
let spawnWorker: SpawnWorker;
let hosting: PageHosting;
let problems: string[];
const open: Runtime[] = [];

beforeAll(async () => {
  page = createWebContainerRuntime({ instance: await bootWebContainerStandIn(), after: systemClock.after });
  spawnWorker = await createThreadSpawner();
});
afterAll(async () => {
  for (const runtime of open) await runtime.dispose();
  await page.dispose();
});
beforeEach(() => {
  problems = [];
  hosting = createPageHosting((message) => problems.push(message));
});

async function workspace(files: Readonly<Record<string, string>>): Promise<{ readonly own: Runtime; readonly moved: MovableRuntime }> {
  const own = await createEmbeddedRuntime({ spawnWorker, sharedMemory: true });
  await own.mount(Object.entries(files).map(([path, text]) => ({ path, bytes: encodeUtf8(text) })));
  const moved = createMovableRuntime(own);
  open.push(moved);
  return { own, moved };
}

async function texts(runtime: Runtime): Promise<Readonly<Record<string, string>>> {
  return Object.fromEntries((await runtime.exportFiles()).map(({ path, bytes }) => [path, new TextDecoder().decode(bytes)]));
}

describe('a workspace on the runtime that the page offers', () => {
  it('takes its files along, keeps every change in its own, and comes back with them', async () => {
    const { own, moved } = await workspace({ 'a.txt': 'a', '.git/HEAD': 'ref', 'deep/b.txt': 'b', 'deep/c.txt': 'c' });
    await own.fs.mkdir('empty');
    await page.fs.writeFile('left-over', 'of another workspace');
    const told: FileSystemChange[] = [];
    const stop = moved.fs.watch('', (changes) => void told.push(...changes));

    await hosting.move(moved, acrossBridge(page));
    expect([moved.info.driver, moved.info.shell]).toEqual(['webcontainer', ['jsh', '-c']]);
    expect(await texts(page)).toEqual({ '.git/HEAD': 'ref', 'a.txt': 'a', 'deep/b.txt': 'b', 'deep/c.txt': 'c' });
    expect((await page.fs.stat('empty'))?.kind).toBe('directory');

    await moved.fs.writeFile('a.txt', 'written by a tool');
    await moved.fs.rename('deep/b.txt', 'empty/b.txt');
    const ran = await runShell(moved, 'echo by a program > p.txt; rm -r deep; mkdir -p node_modules/x deep2; echo y > node_modules/x/y.js');
    expect(ran).toEqual({ code: 0, output: '' });
    await moved.flush();
    const kept = { '.git/HEAD': 'ref', 'a.txt': 'written by a tool', 'empty/b.txt': 'b', 'p.txt': 'by a program\n' };
    expect(await texts(own)).toEqual(kept);
    expect([(await own.fs.stat('deep'))?.kind, (await own.fs.stat('deep2'))?.kind]).toEqual([undefined, 'directory']);
    // Changes are told in groups, a moment after they are kept.
    await expect.poll(() => told.some((change) => change.path === 'p.txt')).toBe(true);

    await hosting.move(moved, undefined);
    expect([moved.info.driver, await texts(moved), problems]).toEqual(['embedded', kept, []]);
    expect((await runShell(moved, 'cat p.txt')).output).toBe('by a program\n');
    stop();
  });

  it('tells what was there before each change, of tools and programs, and who wrote what the person wrote', async () => {
    const { moved } = await workspace({ 'a.txt': 'a', 'deep/b.txt': 'b' });
    await hosting.move(moved, acrossBridge(page));
    const journal = moved.journal as ChangeJournal;
    const told: JournalChange[] = [];
    const stop = journal.listen((change) => void told.push(change));
    const text = (state: PathState) => (state === null ? null : 'bytes' in state ? new TextDecoder().decode(state.bytes) : 'folder');
    const since = async () => {
      await journal.settle();
      return told.splice(0).map(({ path, before, actor }) => [path, text(before), actor]);
    };
    await journal.as('person').fs.writeFile('a.txt', 'mine');
    expect(await since()).toEqual([['a.txt', 'a', 'person']]);
    await moved.fs.writeFile('a.txt', 'a tool over it');
    expect(await since()).toEqual([['a.txt', 'mine', undefined]]);
    expect(await runShell(moved, 'rm -r deep; echo p > p.txt; mkdir -p node_modules/x; echo y > node_modules/x/y.js')).toEqual({ code: 0, output: '' });
    expect([...(await since())].sort()).toEqual([
      ['deep', 'folder', undefined],
      ['deep/b.txt', 'b', undefined],
      ['p.txt', null, undefined],
    ]);
    expect(journal.leavesOut).toEqual(['node_modules']);
    stop();
    await hosting.move(moved, undefined);
    expect(moved.journal?.leavesOut).toEqual([]);
  });

  it('a running program refuses the move, a terminal does not', async () => {
    const { moved } = await workspace({ a: 'a' });
    const terminal = await moved.spawn('sh', [], { terminal: { cols: 80, rows: 24 } });
    const program = await moved.spawn('sh', ['-c', 'sleep 60']);
    const refused = await hosting.move(moved, acrossBridge(page)).catch(codeOf);
    expect([refused, moved.info.driver]).toEqual(['busy', 'embedded']);
    program.kill();
    await program.exit;
    await hosting.move(moved, acrossBridge(page));
    expect([await terminal.exit, moved.info.driver]).toEqual([130, 'webcontainer']);
    await hosting.move(moved, undefined);
  });

  it('the next workspace that moves there sends the one before home, with its files', async () => {
    const first = await workspace({ one: '1' });
    const second = await workspace({ two: '2' });
    await hosting.move(first.moved, acrossBridge(page));
    await first.moved.fs.writeFile('new', 'n');
    await hosting.move(second.moved, acrossBridge(page));
    expect([first.moved.info.driver, await texts(first.moved)]).toEqual(['embedded', { new: 'n', one: '1' }]);
    expect([second.moved.info.driver, await texts(page)]).toEqual(['webcontainer', { two: '2' }]);
    await hosting.move(second.moved, undefined);
  });

  it('calls made during a move wait and act on the next runtime', async () => {
    const { own, moved } = await workspace({ a: 'a' });
    const next = await workspace({});
    const order: string[] = [];
    let finish: () => void = () => undefined;
    const moving = moved.moveTo(async () => {
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      order.push('opened');
      return next.own;
    });
    const writing = moved.fs.writeFile('b', 'b').then(() => order.push('written'));
    await new Promise((resolve) => setImmediate(resolve));
    finish();
    await Promise.all([moving, writing]);
    expect([order, await texts(own), await texts(moved)]).toEqual([['opened', 'written'], { a: 'a' }, { b: 'b' }]);
    await own.dispose();
  });

  it('an offer that fails leaves the workspace where it was', async () => {
    const { moved } = await workspace({ a: 'a' });
    const broken: Runtime = { ...acrossBridge(page), mount: () => Promise.reject(new Error('the frame is gone')) };
    await expect(hosting.move(moved, broken)).rejects.toThrow('the frame is gone');
    expect([moved.info.driver, await texts(moved)]).toEqual(['embedded', { a: 'a' }]);
  });
});
