import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { CallId } from '@/lib/contracts/ids';
import type { ChangeJournal, Runtime } from '@/lib/contracts/runtime';
import { createUndoWorld, everything } from '@/test/support/undo-world';

type Act = { readonly do: 'write' | 'mkdir' | 'rm' | 'rename' | 'append'; readonly at: string; readonly to: string; readonly bytes: Uint8Array };

// Few names, so that files become folders, folders files, and moves meet what is there.
const name = fc.constantFrom('a', 'b', 'c');
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'));
const act: fc.Arbitrary<Act> = fc.record({
  do: fc.constantFrom('write' as const, 'write' as const, 'mkdir' as const, 'rm' as const, 'rename' as const, 'append' as const),
  at: path,
  to: path,
  bytes: fc.uint8Array({ maxLength: 6 }),
});
const calls = fc.array(fc.array(act, { maxLength: 6 }), { minLength: 1, maxLength: 5 });

async function carryOut(fs: Runtime['fs'], { do: what, at, to, bytes }: Act): Promise<void> {
  const parent = (of: string) => of.slice(0, Math.max(0, of.lastIndexOf('/')));
  // What cannot be done changes nothing, as with a program that fails half-way.
  await (async () => {
    if (what === 'mkdir') return fs.mkdir(at, { recursive: true });
    if (what === 'rm') return fs.rm(at, { recursive: true });
    if (what === 'rename') return fs.rename(at, to);
    await fs.mkdir(parent(at), { recursive: true });
    if (what === 'write') return fs.writeFile(at, bytes);
    const before = await fs.readFile(at);
    return fs.writeFile(at, new Uint8Array([...before, ...bytes]));
  })().catch(() => undefined);
}

it('any calls followed by the undo of all of them leave every byte and folder as it was', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 8 }), calls, fc.boolean(), async (start, turn, atOnce) => {
      const world = await createUndoWorld();
      for (const one of start) await carryOut(world.runtime.fs, one);
      const before = await everything(world.runtime);
      for (const [index, acts] of turn.entries())
        await world.call(`call-${index}`, async (fs) => {
          for (const one of acts) await carryOut(fs, one);
        });
      const after = await everything(world.runtime);
      const changed = world.of('snapshot').map(({ callId }) => callId);
      if (changed.length === 0) return;
      if (atOnce) expect((await world.undo.undoTurn(world.turnId, 'refuse')).done).toBe(true);
      else for (const callId of [...changed].reverse()) expect((await world.undo.undoCall(callId, 'refuse')).done).toBe(true);
      expect(await everything(world.runtime)).toEqual(before);
      for (const { undoId } of world.of('undo').reverse()) expect((await world.undo.redo(undoId, 'refuse')).done).toBe(true);
      expect(await everything(world.runtime)).toEqual(after);
    }),
    { numRuns: 1_000 },
  );
});

it('whatever a person does between, beside and after the calls, no undo takes it away', { timeout: 120_000 }, async () => {
  let judged = 0;
  await fc.assert(
    fc.asyncProperty(calls, fc.array(act, { maxLength: 8 }), fc.constantFrom('refuse' as const, 'leave' as const), async (turn, person, differing) => {
      const world = await createUndoWorld();
      const { journal, fs } = world.runtime as Runtime & { readonly journal: ChangeJournal };
      const own = journal.as('person').fs;
      const lastBy = new Map<string, string | undefined>();
      const stop = journal.listen((change) => void lastBy.set(change.path, change.actor));
      const queue = [...person];
      const meanwhile = async () => {
        const next = queue.shift();
        if (next !== undefined) await carryOut(own, next);
      };
      for (const [index, acts] of turn.entries()) {
        await world.call(`call-${index}`, async () => {
          for (const [place, one] of acts.entries()) {
            await carryOut(fs, one);
            if (place === 0) await meanwhile();
          }
        });
        await meanwhile();
      }
      while (queue.length > 0) await meanwhile();
      stop();
      const mine = [...lastBy].flatMap(([path, actor]) => (actor === 'person' ? [path] : []));
      const wrote = (await fs.readMany(mine)).map(({ path, bytes }) => `${path}=${bytes.join()}`);
      // Bytes that a call had left at the same place are the call's as well: nobody can tell whose they are.
      const records = await Promise.all(world.of('snapshot').map(({ callId }) => world.snapshots.read(world.workspaceId, callId)));
      const calls = new Set(
        records
          .flatMap((record) => record?.changes ?? [])
          .flatMap(({ path, after }) => (after !== null && 'bytes' in after ? [`${path}=${after.bytes.join()}`] : [])),
      );
      const before = await everything(world.runtime);
      const answer = await world.undo.undoTurn(world.turnId, differing).catch(() => undefined);
      const still = new Set((await fs.readMany(mine)).map(({ path, bytes }) => `${path}=${bytes.join()}`));
      const only = wrote.filter((one) => !calls.has(one));
      judged += only.length;
      expect(only.filter((one) => !still.has(one))).toEqual([]);
      if (answer?.done === true) expect((await world.undo.redo(answer.undoId, 'refuse')).done).toBe(true);
      expect(await everything(world.runtime)).toEqual(before);
    }),
    // Two in three runs leave something that only the person wrote: enough of them for the count below, whatever is drawn.
    { numRuns: 2_500 },
  );
  expect(judged).toBeGreaterThan(1_000);
});

it('calls that touch different files are undone in any order', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: 5 }),
      fc.array(fc.uint8Array({ maxLength: 20 }), { minLength: 5, maxLength: 5 }),
      async (order, contents) => {
        const world = await createUndoWorld();
        await world.runtime.fs.writeFile('0', 'was here');
        const before = await everything(world.runtime);
        for (const [index, bytes] of contents.entries()) await world.call(`call-${index}`, (fs) => fs.writeFile(`${index}`, bytes));
        for (const index of order) expect((await world.undo.undoCall(`call-${index}` as CallId, 'refuse')).done).toBe(true);
        expect(await everything(world.runtime)).toEqual(before);
      },
    ),
    { numRuns: 1_000 },
  );
});
