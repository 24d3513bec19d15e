import { parseArgs } from 'node:util';
import { createThreadSpawner } from '@/scripts/support/spawn-thread-worker';
import { answerer } from './answer-prompts';
import { describeEvent } from './describe-event';
import { runShell } from '@/lib/engine/run-shell';
import type { EngineEvent, TurnEnd } from '@/lib/contracts/events';
import { findTask, practiceTasks } from '@/lib/practice/tasks';
import { createMemoryStores } from '@/lib/storage/memory-stores';
import { systemClock } from '@/lib/shared/system-clock';
import { composeEngine } from '@/workers/compose-engine';

const usage = `usage: npm run turn -- --task NAME [--approve all|none|ask] [--json] [--wire anthropic|openai-chat]
tasks: ${practiceTasks.map((task) => task.taskId).join(', ')}
exit status: 0 the model yielded and the task's check passes; 2 it yielded, the check fails; 1 the engine failed`;

interface Options {
  readonly taskId: string;
  readonly approve: 'all' | 'none' | 'ask';
  readonly json: boolean;
  readonly wire: 'anthropic' | 'openai-chat';
}

function readOptions(): Options {
  const { values } = parseArgs({ options: { task: { type: 'string' }, approve: { type: 'string', default: 'ask' }, json: { type: 'boolean', default: false }, wire: { type: 'string', default: 'anthropic' } } });
  const { task, approve, wire } = values;
  if (task === undefined || findTask(task) === undefined) throw new Error(task === undefined ? 'no task was named' : `there is no task named ${task}`);
  if (approve !== 'all' && approve !== 'none' && approve !== 'ask') throw new Error(`--approve takes all, none or ask, not ${approve}`);
  if (wire !== 'anthropic' && wire !== 'openai-chat') throw new Error(`--wire takes anthropic or openai-chat, not ${wire}`);
  return { taskId: task, approve, json: values.json, wire };
}

async function main(options: Options): Promise<number> {
  const task = findTask(options.taskId);
  if (task === undefined) return 1;
  const engine = composeEngine({
    stores: createMemoryStores(),
    spawnWorker: await createThreadSpawner(),
    sharedMemory: true,
    clock: systemClock,
    fetch: (url, init) => fetch(url, init),
    practiceSpeed: Number.POSITIVE_INFINITY,
    practiceWire: options.wire,
    onProblem: (message) => console.error(message),
  });
  const print = (event: EngineEvent) => {
    const text = options.json ? JSON.stringify(event) : describeEvent(event);
    if (text !== undefined) process.stdout.write(options.json ? `${text}\n` : text);
  };
  const answers = answerer(options.approve, (command) => void engine.command(command));
  let end: TurnEnd | undefined;
  engine.subscribe((events) => {
    for (const event of events) {
      print(event);
      answers.take(event);
      if (event.type === 'turn-end') end = event.end;
    }
  });
  const created = await engine.command({ type: 'session-create', taskId: task.taskId });
  if (!created.ok) throw new Error(created.message);
  const { sessionId } = created.value.record;
  const sent = await engine.command({ type: 'turn-send', sessionId, text: task.prompt });
  if (!sent.ok) throw new Error(sent.message);
  await engine.idle(sessionId);
  answers.close();

  const { files, runtime } = await engine.workspaceOf(sessionId);
  const verdict = await task.check(files, (request) => runShell(runtime, request, AbortSignal.timeout(60_000)));
  const report = options.json ? process.stderr : process.stdout;
  report.write(`\ncheck of ${task.taskId}: ${verdict.passed ? 'passed' : 'failed'}. ${verdict.detail}\n`);
  await runtime.dispose();
  if (end !== 'yielded') return 1;
  return verdict.passed ? 0 : 2;
}

let options: Options;
try {
  options = readOptions();
} catch (error) {
  console.error(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
  process.exit(1);
}
main(options).then(
  (code) => flushAndExit(code),
  (error: unknown) => {
    console.error(`the engine failed: ${error instanceof Error ? error.message : String(error)}`);
    flushAndExit(1);
  },
);

/** Warm spare workers would keep the process alive; what was printed has to reach a pipe first. */
function flushAndExit(code: number): void {
  process.stdout.write('', () => process.exit(code));
}
