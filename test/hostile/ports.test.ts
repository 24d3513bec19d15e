import { describe, expect, it } from 'vitest';
import type { Capability } from '@/lib/contracts/outcome';
import type { ToolContext } from '@/lib/contracts/tool-context';
import { entitle } from '@/lib/registry/entitle';
import { codeOf, messageOf } from '@/lib/shared/coded-error';
import { createMemoryStores } from '@/lib/storage/memory-stores';
import { createSpillIds } from '@/lib/storage/spill-ids';
import { retrieveToolResult } from '@/lib/tools/results/retrieve-tool-result';
import { createEngineWorld, said, testTool } from '@/test/support/engine-world';
import { createMemoryContext } from '@/test/support/memory-context';
import { createVirtualClock } from '@/test/support/virtual-clock';

/** Every door of the context with the least that goes through it, and what a tool must have declared. */
const doors: Readonly<Record<string, readonly [(context: ToolContext) => unknown, ...Capability[]]>> = {
  read: [(context) => context.files.readText('a')],
  write: [(context) => context.files.writeText('a', 'x'), 'writes-files'],
  bytes: [(context) => context.files.writeBytes('a', new Uint8Array()), 'writes-files'],
  remove: [(context) => context.files.remove('a'), 'writes-files'],
  move: [(context) => context.files.move('a', 'b'), 'writes-files'],
  folder: [(context) => context.files.makeDirectory('d'), 'writes-files'],
  command: [(context) => context.runCommand({ command: 'ls' }), 'executes-code'],
  job: [(context) => context.jobs.start({ command: 'ls' }), 'executes-code'],
  input: [(context) => context.jobs.input('t', 'x', false), 'executes-code'],
  cancel: [(context) => context.jobs.cancel('t'), 'executes-code', 'requires-approval'],
  web: [(context) => context.fetchWeb({ url: 'https://a.example/', maxBytes: 1 }), 'network'],
  add: [(context) => context.git.add(['a']), 'writes-files', 'requires-approval'],
  commit: [(context) => context.git.commit('m'), 'writes-files', 'requires-approval'],
  revert: [(context) => context.undo.revert({ callId: 'c' } as never), 'writes-files'],
  ask: [(context) => context.askPerson([])],
};

async function saidBy(act: () => unknown): Promise<string> {
  try {
    await act();
    return 'open';
  } catch (error) {
    return messageOf(error);
  }
}

async function codeFrom(act: () => unknown): Promise<string> {
  try {
    await act();
    return 'open';
  } catch (error) {
    return codeOf(error) ?? String(error);
  }
}

describe('a tool that says less than it does', () => {
  it('gets no port that it did not declare, whatever it declares besides', async () => {
    const all: readonly Capability[] = ['read-only', 'writes-files', 'executes-code', 'network', 'sandboxable', 'requires-approval'];
    for (const declared of [[], ['read-only'], ...all.map((one) => ['read-only', one] as const)] as readonly (readonly Capability[])[]) {
      const { context } = entitle('t', declared, createMemoryContext({ files: { a: '1' } }).context);
      for (const [door, [open, ...needs]] of Object.entries(doors)) {
        const mayPass = door !== 'ask' && (needs.length === 0 || needs.some((one) => declared.includes(one)));
        expect([door, declared, /^t does not declare/.test(await saidBy(() => open(context)))]).toEqual([door, declared, !mayPass]);
      }
    }
  });

  it('finds no way behind its ports', async () => {
    const host = createMemoryContext({ files: { a: '1' } });
    const { context } = entitle('t', ['read-only'], host.context);
    const raw = new Set<unknown>(
      [host.context, host.context.files, ...Object.values(host.context.files), ...Object.values(host.context)].filter(
        (one) => typeof one === 'object' || typeof one === 'function',
      ),
    );
    for (const given of [host.context.now, host.context.newId, host.context.signal]) raw.delete(given);
    const seen = new Set<unknown>();
    const look = (value: unknown, depth: number): void => {
      if (depth > 4 || value === null || (typeof value !== 'object' && typeof value !== 'function') || seen.has(value) || value === host.context.signal) return;
      seen.add(value);
      for (let owner: object | null = value; owner !== null && owner !== Object.prototype; owner = Object.getPrototypeOf(owner) as object | null)
        for (const key of Reflect.ownKeys(owner)) {
          const described = Object.getOwnPropertyDescriptor(owner, key);
          // A getter is asked as its own object's only: a prototype has no private parts to answer with.
          look(described?.get === undefined || depth > 0 ? described?.value : Reflect.get(value, key), depth + 1);
        }
    };
    look(context, 0);
    look(context.files, 0);
    expect([seen.size > 30, [...seen].filter((one) => raw.has(one))]).toEqual([true, []]);
    expect(Object.getOwnPropertyDescriptor(context.files, 'writeText')).toBeUndefined();
  });

  it('finds every port closed once its slot is filled, also through what it kept', async () => {
    const host = createMemoryContext({ files: { a: '1' } });
    const { context, close } = entitle('t', ['writes-files', 'executes-code', 'network', 'requires-approval'], host.context, true);
    const { files, jobs, git } = context;
    const { writeText } = files;
    close();
    for (const [door, [open]] of Object.entries(doors)) expect([door, await codeFrom(() => open(context))]).toEqual([door, 'cancelled']);
    const kept = [
      () => writeText('a', 'late'),
      () => jobs.start({ command: 'ls' }),
      () => git.commit('late'),
      () => context.state.set('k', 1),
      () => context.notify('t', 'b'),
    ];
    for (const act of kept) expect(await codeFrom(act)).toBe('cancelled');
    expect([host.text('a'), host.notifications]).toEqual(['1', []]);
  });

  it('writes nothing after its call was stopped, though it never looks at its signal', async () => {
    const clock = createVirtualClock();
    const late: string[] = [];
    const stubborn = testTool('stubborn', ['writes-files'], async (_, context) => {
      await clock.sleep(5_000);
      late.push(await codeFrom(() => context.files.writeText('a', 'late')));
      return said('late');
    });
    const world = await createEngineWorld({
      tools: [stubborn],
      clock,
      mode: 'auto',
      model: (_, step) => (step === 0 ? { calls: [{ name: 'stubborn' }] } : {}),
    });
    await world.send('go');
    await world.engine.command({ type: 'turn-stop', sessionId: world.sessionId });
    await clock.settle();
    await clock.advance(5_000);
    expect([late, world.of('call-settled').map(({ outcome }) => outcome.status), world.of('call-late-result').length]).toEqual([
      ['cancelled'],
      ['cancelled'],
      1,
    ]);
  });
});

describe('a stored result', () => {
  it('of another session is not there, and neither is one whose id was guessed', async () => {
    const stores = createMemoryStores();
    const clock = createVirtualClock();
    const flood = testTool('flood', ['read-only'], async () => said(`secret ${'x'.repeat(200_000)}`));
    const first = await createEngineWorld({ tools: [flood], stores, clock, model: (_, step) => (step === 0 ? { calls: [{ name: 'flood' }] } : {}) });
    await first.send('go');
    const ref = String(first.of('result-cut')[0]?.ref);
    expect((await stores.spills.read(ref as never))?.text).toContain('secret');
    const guesses = [ref, `${ref} `, ref.replace(/.$/, '0'), '../x', '__proto__', '*', ''];
    const second = await createEngineWorld({
      tools: [retrieveToolResult],
      stores,
      clock,
      tab: 'other',
      mode: 'auto',
      model: (_, step) => (step === 0 ? { calls: guesses.map((guess) => ({ name: 'retrieve_tool_result', input: { ref: guess, mode: 'head' } })) } : {}),
    });
    await second.send('go');
    expect(second.of('result-push').map(({ isError, content }) => [isError, content.includes('secret')])).toEqual(guesses.map(() => [true, false]));
    // The part of the tab is random where it is given out, so that knowing one id does not give the next.
    const ids = ['a1', 'b2'].map((tab) => createSpillIds({ tab, now: () => 7 })());
    expect(new Set(ids).size).toBe(2);
  });
});
