import { beforeAll, describe, expect, test } from 'vitest';
import type { EngineEvent, TurnEnd } from '@/lib/contracts/events';
import type { SessionId } from '@/lib/contracts/ids';
import type { SpawnWorker } from '@/lib/contracts/runtime';
import type { Stores } from '@/lib/contracts/store';
import type { Engine } from '@/lib/engine/engine';
import { runShell } from '@/lib/engine/run-shell';
import type { PracticeTask } from '@/lib/practice/task';
import { practiceTasks } from '@/lib/practice/tasks';
import { systemClock } from '@/lib/shared/system-clock';
import { createThreadSpawner } from '@/scripts/support/spawn-thread-worker';
import { createJournalStores, type JournalStores } from '@/test/support/journal-stores';
import { composeEngine } from '@/workers/compose-engine';

let spawnWorker: SpawnWorker;

interface Driven {
  readonly engine: Engine;
  readonly events: EngineEvent[];
  readonly ends: TurnEnd[];
}

/** An engine whose prompts are answered as a careful person would: yes, once; but never to a deletion. */
function drive(stores: Stores): Driven {
  const engine = composeEngine({
    stores,
    spawnWorker,
    sharedMemory: true,
    clock: systemClock,
    fetch: () => Promise.reject(new Error('no network')),
    practicePace: 'instant',
    practiceWire: 'anthropic',
    onProblem: () => {},
  });
  const events: EngineEvent[] = [];
  const ends: TurnEnd[] = [];
  engine.subscribe((group) => {
    for (const event of group) {
      events.push(event);
      if (event.type === 'turn-end') ends.push(event.end);
      if (event.type === 'approval-start')
        void engine.command({
          type: 'approval-answer',
          sessionId: event.sessionId,
          answer: { approvalId: event.request.approvalId, choice: event.request.subject.startsWith('rm ') ? 'deny' : 'once' },
        });
      if (event.type === 'question-start') {
        const { questionId, questions } = event.request;
        const answers = questions.map((question) => ({ choices: question.options.slice(0, 1).map((option) => option.label) }));
        void engine.command({ type: 'question-answer', sessionId: event.sessionId, answer: { questionId, answers } });
      }
    }
  });
  return { engine, events, ends };
}

interface Played {
  readonly task: PracticeTask;
  readonly journal: JournalStores;
  readonly sessionId: SessionId;
  /** Writes that had landed when the session was ready. */
  readonly firstTurnAt: number;
}

async function play(task: PracticeTask): Promise<Played> {
  const journal = createJournalStores();
  const { engine, ends } = drive(journal.stores);
  const created = await engine.command({ type: 'session-create', taskId: task.taskId });
  if (!created.ok) throw new Error(created.message);
  const { sessionId } = created.value.record;
  const firstTurnAt = journal.landed();
  await engine.command({ type: 'turn-send', sessionId, text: task.prompt });
  await engine.idle(sessionId);
  expect(ends).toEqual(['yielded']);
  await (await engine.workspaceOf(sessionId)).runtime.dispose();
  return { task, journal, sessionId, firstTurnAt };
}

function checkLog(before: readonly EngineEvent[], after: readonly EngineEvent[]): void {
  expect(after.slice(0, before.length)).toEqual(before);
  expect(after.map((event) => event.seq)).toEqual(after.map((_, index) => index));
  const starts = after.flatMap((event) => (event.type === 'call-start' ? [event.callId] : []));
  expect(new Set(starts).size).toBe(starts.length);
  const settled = after.flatMap((event) => (event.type === 'call-settled' ? [event.callId] : []));
  expect(new Set(settled).size).toBe(settled.length);
  const messages = after.flatMap((event) => (event.type === 'message-push' ? [event.message] : []));
  const closed = new Set(
    after.flatMap((event) => (event.type === 'approval-end' ? [String(event.approvalId)] : event.type === 'question-end' ? [String(event.questionId)] : [])),
  );
  const asked = after.flatMap((event) =>
    event.type === 'approval-start' ? [String(event.request.approvalId)] : event.type === 'question-start' ? [String(event.request.questionId)] : [],
  );
  expect(asked.filter((id) => !closed.has(id))).toEqual([]);
  messages.forEach((message, index) => {
    const calls = message.role === 'assistant' ? message.blocks.flatMap((block) => (block.kind === 'call' ? [block.callId] : [])) : [];
    if (calls.length === 0) return;
    const next = messages[index + 1];
    expect(next?.role === 'tool' && next.results.map((result) => result.callId)).toEqual(calls);
  });
}

/** Reopens what the first `count` writes left, goes on as a person would, and checks log, history and goal. */
async function dieAfter(count: number, { task, journal, sessionId }: Played): Promise<void> {
  const stores = await journal.stateAfter(count);
  const before = (await stores.sessions.events(sessionId)).events;
  const { engine } = drive(stores);
  const opened = await engine.command({ type: 'session-open', sessionId });
  if (!opened.ok) throw new Error(opened.message);
  // A prompt that the reopened session asks again is in the snapshot, or arrives as an event and is answered there.
  await engine.idle(sessionId);
  const { runtime, files, git } = await engine.workspaceOf(sessionId);
  const passed = async () => (await task.check(files, (request) => runShell(runtime, request, AbortSignal.timeout(30_000)), git)).passed;
  let goal = await passed();
  for (let again = 0; !goal && again < 3; again++) {
    await engine.command({
      type: 'turn-send',
      sessionId,
      text: again === 0 && before.every((event) => event.type !== 'turn-start') ? task.prompt : 'continue',
    });
    await engine.idle(sessionId);
    goal = await passed();
  }
  const stored = (await stores.sessions.events(sessionId)).events;
  checkLog(before, stored);
  expect(goal).toBe(true);
  await runtime.dispose();
}

/**
 * The test of a task whose tab dies after any of its durable writes. A file a task, so that they run side by side.
 *
 * In     the id of a practice task.
 */
export function testDyingTab(taskId: string): void {
  describe('the tab dies while a task is played', () => {
    beforeAll(async () => {
      spawnWorker = await createThreadSpawner();
    });
    test(`${taskId}, after any durable write: the log is kept, nothing runs twice, the goal is reached`, async () => {
      const task = practiceTasks.find((known) => known.taskId === taskId);
      if (task === undefined) throw new Error(`There is no task ${taskId}.`);
      const played = await play(task);
      const counts = Array.from({ length: played.journal.landed() - played.firstTurnAt + 1 }, (__, index) => played.firstTurnAt + index);
      const failures: string[] = [];
      const queue = [...counts];
      const worker = async () => {
        for (let count = queue.shift(); count !== undefined; count = queue.shift()) {
          try {
            await dieAfter(count, played);
          } catch (error) {
            failures.push(`after ${count} writes: ${error instanceof Error ? error.message : String(error)}`);
          }
        }
      };
      await Promise.all([worker(), worker(), worker()]);
      expect(failures).toEqual([]);
      expect(counts.length).toBeGreaterThan(20);
    }, 900_000);
  });
}
