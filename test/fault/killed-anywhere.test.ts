import { beforeAll, describe, expect, test } from 'vitest';
import type { EngineEvent, TurnEnd } from '@/lib/contracts/events';
import type { SessionId } from '@/lib/contracts/ids';
import type { SpawnWorker } from '@/lib/contracts/runtime';
import type { Stores } from '@/lib/contracts/store';
import type { Engine } from '@/lib/engine/engine';
import { runShell } from '@/lib/engine/run-shell';
import { findTask } from '@/lib/practice/tasks';
import { createThreadSpawner } from '@/scripts/support/spawn-thread-worker';
import { systemClock } from '@/lib/shared/system-clock';
import { createJournalStores, type JournalStores } from '@/test/support/journal-stores';
import { composeEngine } from '@/workers/compose-engine';

const taskId = 'fix-the-test';
const task = findTask(taskId)!;
let spawnWorker: SpawnWorker;
let journal: JournalStores;
let sessionId: SessionId;
let firstTurnAt = 0;

interface Driven {
  readonly engine: Engine;
  readonly events: EngineEvent[];
  readonly ends: TurnEnd[];
}

/** An engine whose prompts are all answered with yes, once. */
function drive(stores: Stores): Driven {
  const engine = composeEngine({
    stores,
    spawnWorker,
    sharedMemory: true,
    clock: systemClock,
    fetch: () => Promise.reject(new Error('no network')),
    practiceSpeed: Number.POSITIVE_INFINITY,
    practiceWire: 'anthropic',
    onProblem: () => {},
  });
  const events: EngineEvent[] = [];
  const ends: TurnEnd[] = [];
  engine.subscribe((group) => {
    for (const event of group) {
      events.push(event);
      if (event.type === 'turn-end') ends.push(event.end);
      if (event.type === 'approval-start') void engine.command({ type: 'approval-answer', sessionId: event.sessionId, answer: { approvalId: event.request.approvalId, choice: 'once' } });
    }
  });
  return { engine, events, ends };
}

beforeAll(async () => {
  spawnWorker = await createThreadSpawner();
  journal = createJournalStores();
  const { engine } = drive(journal.stores);
  const created = await engine.command({ type: 'session-create', taskId });
  if (!created.ok) throw new Error(created.message);
  sessionId = created.value.record.sessionId;
  firstTurnAt = journal.landed();
  await engine.command({ type: 'turn-send', sessionId, text: task.prompt });
  await engine.idle(sessionId);
  await (await engine.workspaceOf(sessionId)).runtime.dispose();
}, 120_000);


function checkLog(before: readonly EngineEvent[], after: readonly EngineEvent[]): void {
  expect(after.slice(0, before.length)).toEqual(before);
  expect(after.map((event) => event.seq)).toEqual(after.map((_, index) => index));
  const starts = after.flatMap((event) => (event.type === 'call-start' ? [event.callId] : []));
  expect(new Set(starts).size).toBe(starts.length);
  const settled = after.flatMap((event) => (event.type === 'call-settled' ? [event.callId] : []));
  expect(new Set(settled).size).toBe(settled.length);
  const messages = after.flatMap((event) => (event.type === 'message-push' ? [event.message] : []));
  messages.forEach((message, index) => {
    const calls = message.role === 'assistant' ? message.blocks.flatMap((block) => (block.kind === 'call' ? [block.callId] : [])) : [];
    if (calls.length === 0) return;
    const next = messages[index + 1];
    expect(next?.role === 'tool' && next.results.map((result) => result.callId)).toEqual(calls);
  });
}

/** Reopens what the first `count` writes left, goes on as a person would, and checks log, history and goal. */
async function dieAfter(count: number): Promise<void> {
  const stores = await journal.stateAfter(count);
  const before = (await stores.sessions.events(sessionId)).events;
  const { engine } = drive(stores);
  const opened = await engine.command({ type: 'session-open', sessionId });
  if (!opened.ok) throw new Error(opened.message);
  // A prompt that the reopened session asks again is in the snapshot, or arrives as an event and is answered there.
  await engine.idle(sessionId);
  const { runtime, files } = await engine.workspaceOf(sessionId);
  const passed = async () => (await task.check(files, (request) => runShell(runtime, request, AbortSignal.timeout(30_000)))).passed;
  let goal = await passed();
  for (let again = 0; !goal && again < 3; again++) {
    await engine.command({ type: 'turn-send', sessionId, text: again === 0 && before.every((event) => event.type !== 'turn-start') ? task.prompt : 'continue' });
    await engine.idle(sessionId);
    goal = await passed();
  }
  const stored = (await stores.sessions.events(sessionId)).events;
  checkLog(before, stored);
  expect(goal).toBe(true);
  await runtime.dispose();
}

describe(`the tab dies while ${taskId} is played`, () => {
  test('after any durable write: the log is kept, nothing runs twice, the goal is reached', async () => {
    const counts = Array.from({ length: journal.landed() - firstTurnAt + 1 }, (_, index) => firstTurnAt + index);
    const failures: string[] = [];
    const queue = [...counts];
    const worker = async () => {
      for (let count = queue.shift(); count !== undefined; count = queue.shift()) {
        try {
          await dieAfter(count);
        } catch (error) {
          failures.push(`after ${count} writes: ${error instanceof Error ? error.message : String(error)}`);
        }
      }
    };
    await Promise.all([worker(), worker(), worker()]);
    expect(failures).toEqual([]);
    expect(counts.length).toBeGreaterThan(20);
  }, 600_000);
});
