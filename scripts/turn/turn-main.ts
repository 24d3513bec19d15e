import type { CommandAnswer, EngineCommand } from '@/lib/contracts/commands';
import type { EngineEvent, TurnEnd } from '@/lib/contracts/events';
import type { SessionId } from '@/lib/contracts/ids';
import type { Runtime } from '@/lib/contracts/runtime';
import type { Engine } from '@/lib/engine/engine';
import { runShell } from '@/lib/engine/run-shell';
import { createFetcher } from '@/lib/net/fetcher';
import { findTask } from '@/lib/practice/tasks';
import { messageOf } from '@/lib/shared/coded-error';
import { systemClock } from '@/lib/shared/system-clock';
import { createMemoryStores } from '@/lib/storage/memory-stores';
import { answerHelp, wrongUsage } from '@/scripts/support/command-line';
import { createThreadSpawner } from '@/scripts/support/spawn-thread-worker';
import { createPinnedHop } from '@/server/pinned-hop';
import { composeEngine } from '@/workers/compose-engine';
import { answerer } from './answer-prompts';
import { describeEvent } from './describe-event';
import { compareFolder, listRuntime } from './folder-changes';
import { copyFolder, describeCopy, type FolderCopy } from './folder-copy';
import { printable } from './printable';
import { readOptions, type TurnOptions, usage } from './read-options';
import { showChanges } from './show-changes';
import { writeBack } from './write-back';

/** A second Ctrl+C within this time is the same one: a terminal and npm each send it. */
const sameKeyMs = 1000;

async function main(options: TurnOptions): Promise<number> {
  const { work } = options;
  // With --json stdout belongs to the events.
  const say = (text: string) => (options.json ? process.stderr : process.stdout).write(text);
  const copy = 'dir' in work ? await copyFolder(work.dir) : undefined;
  if (copy !== undefined) say(printable(describeCopy(copy)));
  const engine = composeEngine({
    stores: createMemoryStores(),
    spawnWorker: await createThreadSpawner(),
    sharedMemory: true,
    clock: systemClock,
    fetch: (url, init) => fetch(url, init),
    fetchWeb: createFetcher({ hop: createPinnedHop(), proxyWords: '' }),
    ...(options.summarise === undefined ? {} : { summarise: options.summarise }),
    practicePace: 'instant',
    practiceWire: options.wire,
    ...(copy === undefined ? {} : { furnish: (runtime: Runtime) => mountCopy(runtime, copy) }),
    onProblem: (message) => console.error(message),
  });
  if (options.connection !== undefined) await told(engine.command({ type: 'model-connect', ...options.connection }));
  const { sessionId, end } = await playTurn(engine, options);
  const { files, git, runtime } = await engine.workspaceOf(sessionId);
  try {
    if (copy !== undefined && 'dir' in work) return await settleFolder(runtime, copy, end, work.write, say);
    const task = 'taskId' in work ? findTask(work.taskId) : undefined;
    if (task === undefined) return 1;
    const verdict = await task.check(files, (request) => runShell(runtime, request, AbortSignal.timeout(60_000)), git);
    say(`\ncheck of ${task.taskId}: ${verdict.passed ? 'passed' : 'failed'}. ${verdict.detail}\n`);
    if (end !== 'yielded') return 1;
    return verdict.passed ? 0 : 2;
  } finally {
    await runtime.dispose();
  }
}

/** One turn, from its session to its end; events are printed as they come, prompts answered. */
async function playTurn(engine: Engine, { work, approve, json }: TurnOptions): Promise<{ readonly sessionId: SessionId; readonly end: TurnEnd | undefined }> {
  const task = 'taskId' in work ? findTask(work.taskId) : undefined;
  const answers = answerer(approve, (command) => void engine.command(command));
  let end: TurnEnd | undefined;
  engine.subscribe((events: readonly EngineEvent[]) => {
    for (const event of events) {
      const text = json ? `${JSON.stringify(event)}\n` : describeEvent(event);
      if (text !== undefined) process.stdout.write(json ? text : printable(text));
      answers.take(event);
      if (event.type === 'turn-end') end = event.end;
    }
  });
  const created = await told(engine.command({ type: 'session-create', ...(task === undefined ? {} : { taskId: task.taskId }) }));
  const { sessionId } = created.record;
  const waiting = created.events.findLast((event) => event.type === 'policy-change')?.status.pending?.fingerprint;
  if ('dir' in work && work.acceptPolicy && waiting !== undefined) await told(engine.command({ type: 'policy-accept', sessionId, fingerprint: waiting }));
  const release = stopOnInterrupt(() => void engine.command({ type: 'turn-stop', sessionId }));
  await told(engine.command({ type: 'turn-send', sessionId, text: task === undefined && 'prompt' in work ? work.prompt : (task?.prompt ?? '') }));
  await engine.idle(sessionId);
  release();
  answers.close();
  return { sessionId, end };
}

/** Shows what the turn did to the copy; writes it into the folder when that was asked for and the turn came to its own end. */
async function settleFolder(runtime: Runtime, copy: FolderCopy, end: TurnEnd | undefined, write: boolean, say: (text: string) => void): Promise<number> {
  const { changes, keptBack } = compareFolder(copy, await listRuntime(runtime));
  say(`\n${changes.length === 0 ? 'Nothing was changed.\n' : showChanges(changes)}`);
  if (keptBack > 0) say(`${keptBack} files that the turn made inside .git or node_modules stay in the copy.\n`);
  if (end !== 'yielded') {
    if (changes.length > 0) say(`Nothing was written to ${printable(copy.root)}: the turn did not come to its own end.\n`);
    return 1;
  }
  if (changes.length === 0) return 0;
  if (!write) {
    say(`Nothing was written to ${printable(copy.root)}: --write does that.\n`);
    return 0;
  }
  const { written, problems } = await writeBack(copy.root, changes);
  for (const problem of problems) say(`${printable(problem)}\n`);
  say(`${written} of ${changes.length} changes written to ${printable(copy.root)}.\n`);
  return problems.length > 0 ? 2 : 0;
}

async function mountCopy(runtime: Runtime, copy: FolderCopy): Promise<string> {
  for (const folder of copy.folders) await runtime.fs.mkdir(folder, { recursive: true });
  await runtime.mount([...copy.files.values()].map(({ path, bytes }) => ({ path, bytes })));
  return copy.root.split(/[\\/]/).at(-1) ?? 'folder';
}

/** Ctrl+C stops the turn, so that its diff is still shown; pressed again it ends the program. */
function stopOnInterrupt(stop: () => void): () => void {
  let firstAt: number | undefined;
  const onInterrupt = () => {
    if (firstAt !== undefined && Date.now() - firstAt > sameKeyMs) process.exit(130);
    firstAt ??= Date.now();
    stop();
  };
  process.on('SIGINT', onInterrupt);
  return () => void process.off('SIGINT', onInterrupt);
}

async function told<Type extends EngineCommand['type']>(answer: Promise<CommandAnswer<Type>>): Promise<Extract<CommandAnswer<Type>, { ok: true }>['value']> {
  const given = await answer;
  if (!given.ok) throw new Error(given.message);
  return given.value;
}

/** Warm spare workers would keep the process alive; what was printed has to reach a pipe first. */
function flushAndExit(code: number): void {
  process.stdout.write('', () => process.exit(code));
}

let options: TurnOptions;
answerHelp(process.argv.slice(2), usage);
try {
  options = readOptions(process.argv.slice(2), process.env);
} catch (error) {
  console.error(wrongUsage(error, usage));
  process.exit(1);
}
// Nothing that runs in here needs it from the environment.
delete process.env.GATEHOUSE_API_KEY;
main(options).then(
  (code) => flushAndExit(code),
  (error: unknown) => {
    console.error(`the engine failed: ${printable(messageOf(error))}`);
    flushAndExit(1);
  },
);
