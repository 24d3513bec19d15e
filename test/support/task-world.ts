import { emptyRuntime } from '@/lib/conformance/empty-runtime';
import type { ApprovalChoice, ApprovalRequest, Mode } from '@/lib/contracts/approval';
import type { EngineEvent, TurnEnd } from '@/lib/contracts/events';
import type { SpillRef, WorkspaceId } from '@/lib/contracts/ids';
import type { ModelFetch, Provider } from '@/lib/contracts/provider';
import type { PersonAnswer } from '@/lib/contracts/question';
import type { Runtime, RuntimeProcess } from '@/lib/contracts/runtime';
import type { ToolSpec } from '@/lib/contracts/tool-spec';
import { createEngine } from '@/lib/engine/engine';
import { runShell } from '@/lib/engine/run-shell';
import { createGit } from '@/lib/git/create-git';
import { commitAll } from '@/lib/git/first-commit';
import { createModelClient } from '@/lib/model/model-client';
import { createPracticeEndpoint } from '@/lib/practice/practice-endpoint';
import type { TaskVerdict } from '@/lib/practice/task';
import { findTask, practiceScripts } from '@/lib/practice/tasks';
import { runtimeFiles } from '@/lib/practice/workspaces/workspace';
import { createToolDispatcher } from '@/lib/registry/tool-dispatcher';
import { createWorkspaceFiles } from '@/lib/runtime/workspace-files';
import { decodeUtf8 } from '@/lib/shared/bytes';
import { createNewId } from '@/lib/shared/new-ids';
import { createMemoryLinks } from '@/lib/storage/memory-link';
import { createMemoryStores } from '@/lib/storage/memory-stores';
import { builtInTools } from '@/lib/tools/registry.gen';
import { createMemoryRuntimeFs } from './memory-runtime-fs';
import { createVirtualClock } from './virtual-clock';

export type Said = ApprovalChoice | { readonly choice: 'deny'; readonly words: string };
/** What a command prints and how it ends; undefined leaves it to the world. */
export type Command = (command: string, files: ReadonlyMap<string, Uint8Array>) => { readonly exitCode: number; readonly output: string } | undefined;

export interface TaskWorldOptions {
  readonly taskId: string;
  readonly provider: Provider;
  /** The person before a card. Default: yes, once. */
  readonly approve?: (request: ApprovalRequest) => Said;
  /** The person before a form; undefined = they do not want to say. Default: the first option. */
  readonly answer?: (options: readonly string[]) => PersonAnswer | undefined;
  readonly run?: Command;
  readonly mode?: Mode;
  /** Changes the registered tools. */
  readonly tools?: (tools: readonly ToolSpec[]) => readonly ToolSpec[];
}

export interface PlayedTurn {
  readonly end: TurnEnd | undefined;
  /** One entry a step: its visible text and its calls as `tool` or, of a command, what was run. */
  readonly steps: readonly { readonly text: string; readonly calls: readonly string[] }[];
  readonly events: readonly EngineEvent[];
  /** The text of the last step. */
  readonly last: string;
}

/** A task played by the whole engine, its practice model and every tool, over files in memory; only the programs are made up. */
export interface TaskWorld {
  send(text: string): Promise<PlayedTurn>;
  /** The person's stop button. */
  readonly stop: () => void;
  readonly files: Map<string, Uint8Array>;
  read(path: string): string | undefined;
  write(path: string, text: string): void;
  check(): Promise<TaskVerdict>;
  /** The bytes of every response of the model. */
  readonly responses: Uint8Array[];
  /** Every event of the session so far. */
  log(): Promise<readonly EngineEvent[]>;
}

export async function createTaskWorld(options: TaskWorldOptions): Promise<TaskWorld> {
  const task = findTask(options.taskId);
  if (task === undefined) throw new Error(`there is no task ${options.taskId}`);
  const clock = createVirtualClock();
  const stores = createMemoryStores();
  const newId = createNewId('test');
  const fs = createMemoryRuntimeFs();
  const runtime: Runtime = {
    ...emptyRuntime,
    fs,
    spawn: async (_, args) => processOf((options.run ?? (() => undefined))(args.at(-1) ?? '', fs.contents) ?? runCommand(args.at(-1) ?? '', fs.contents)),
  };
  const files = createWorkspaceFiles(runtime);
  for (const commit of task.workspace.history) {
    for (const { path, bytes } of runtimeFiles(commit.files ?? task.workspace.files)) await files.writeBytes(path, bytes);
    await commitAll({ fs }, commit.message, { name: 'Test', email: 'test@example.invalid' }, 1_767_603_600);
  }
  const git = createGit(fs, { now: clock.now, author: { name: 'Test', email: 'test@example.invalid' } });
  const record = { workspaceId: newId<WorkspaceId>('workspace'), name: task.workspace.name, createdAt: clock.now(), grants: [] };
  const responses: Uint8Array[] = [];
  const practice = createPracticeEndpoint({ scripts: practiceScripts, sleep: clock.sleep, speed: () => Number.POSITIVE_INFINITY });
  const fetch: ModelFetch = async (url, init) => {
    const response = await practice(url, init);
    const bytes = new Uint8Array(await response.arrayBuffer());
    responses.push(bytes);
    return new Response(bytes, response);
  };
  const connection = { provider: options.provider.id, baseUrl: 'https://practice.invalid/v1', apiKey: '', model: 'practice' };
  let refs = 0;
  const engine = createEngine({
    dispatcher: createToolDispatcher((options.tools ?? ((tools) => tools))(builtInTools)),
    stores,
    workspaces: {
      create: async () => record,
      open: async () => ({
        record,
        runtime,
        files,
        git,
        search: async ({ pattern, flags, texts }) =>
          texts.flatMap(({ path, text }) => text.split('\n').flatMap((line, at) => (new RegExp(pattern, flags).test(line) ? [{ path, line: at + 1 }] : []))),
      }),
      close: async () => undefined,
      remove: async () => undefined,
    },
    models: {
      current: () => ({ kind: 'practice' }),
      connect: () => ({ kind: 'practice' }),
      choose: () => ({ kind: 'practice' }),
      test: async () => 'ready',
      open: () => ({ name: 'practice', stream: createModelClient({ provider: options.provider, connection, fetch, after: clock.after, random: () => 0 }) }),
    },
    tasks: [task],
    link: createMemoryLinks().link(),
    clock,
    newId,
    newSpillRef: () => `ref-test-${refs++}` as SpillRef,
  });
  const created = await engine.command({ type: 'session-create', taskId: task.taskId });
  if (!created.ok) throw new Error(created.message);
  const { sessionId } = created.value.record;
  if (options.mode !== undefined) await engine.command({ type: 'mode-set', sessionId, mode: options.mode });
  let events: EngineEvent[] = [];
  engine.subscribe((group) => {
    for (const event of group) {
      events.push(event);
      if (event.type === 'approval-start') {
        const said = options.approve?.(event.request) ?? 'once';
        const answer = typeof said === 'string' ? { choice: said } : said;
        void engine.command({ type: 'approval-answer', sessionId, answer: { approvalId: event.request.approvalId, ...answer } });
      } else if (event.type === 'question-start') {
        const answers = event.request.questions.map(({ options: given }) =>
          (options.answer ?? (([first]) => ({ choices: [first as string] })))(given.map(({ label }) => label)),
        );
        const whole = answers.filter((answer) => answer !== undefined);
        void engine.command({
          type: 'question-answer',
          sessionId,
          answer: { questionId: event.request.questionId, ...(whole.length < answers.length ? {} : { answers: whole }) },
        });
      }
    }
  });
  return {
    stop: () => void engine.command({ type: 'turn-stop', sessionId }),
    log: async () => (await stores.sessions.events(sessionId)).events,
    files: fs.contents,
    responses,
    read: (path) => (fs.contents.has(path) ? decodeUtf8(fs.contents.get(path) as Uint8Array) : undefined),
    write: (path, text) => void fs.contents.set(path, new TextEncoder().encode(text)),
    check: () => task.check(files, (request) => runShell(runtime, request, new AbortController().signal), git),
    async send(text) {
      events = [];
      const sent = await engine.command({ type: 'turn-send', sessionId, text });
      if (!sent.ok) throw new Error(sent.message);
      await engine.idle(sessionId);
      return playedTurn(events);
    },
  };
}

function playedTurn(events: readonly EngineEvent[]): PlayedTurn {
  const texts = new Map<string, { text: string; calls: readonly string[] }>();
  for (const event of events) {
    if (event.type === 'step-start') texts.set(event.stepId, { text: '', calls: [] });
    else if (event.type === 'text-delta') (texts.get(event.stepId) as { text: string }).text += event.text;
    else if (event.type === 'plan-end')
      (texts.get(event.stepId) as { calls: readonly string[] }).calls = event.calls.map(({ requestedName, input }) =>
        requestedName === 'exec_shell' && typeof input === 'object' && input !== null && 'command' in input ? String(input.command) : requestedName,
      );
  }
  const steps = [...texts.values()];
  return { end: events.findLast((event) => event.type === 'turn-end')?.end, steps, events, last: steps.at(-1)?.text ?? '' };
}

/** The programs of the tasks, as far as their outcome matters. */
function runCommand(command: string, files: Map<string, Uint8Array>): { readonly exitCode: number; readonly output: string } {
  if (command === 'rm -rf src') {
    for (const path of [...files.keys()]) if (path.startsWith('src/')) files.delete(path);
    return { exitCode: 0, output: '' };
  }
  if (command === 'npm run tides') {
    const lines = Array.from({ length: 8760 }, (_, hour) => `2026-01-01 ${String(hour).padStart(5, '0')}   3.00 m${hour === 4608 ? '  ' : ''}`);
    lines[4608] = '2026-07-12 00:00   6.49 m  the quay is under water';
    return { exitCode: 0, output: `${lines.join('\n')}\n` };
  }
  if (/^npm (run )?test\b/.test(command)) {
    const report = command.includes('report')
      ? '2026-06-01  Nightjar\n2026-06-01  Petrel\n2026-06-01  Old Marjory\nNightjar  1\nPetrel  1\nOld Marjory  1\n'
      : '';
    return { exitCode: 0, output: `# pass 11\n# fail 0\n${report}` };
  }
  return { exitCode: 127, output: `${command}: command not found\n` };
}

function processOf({ exitCode, output }: { readonly exitCode: number; readonly output: string }): RuntimeProcess {
  return {
    output: new ReadableStream({
      start(controller) {
        controller.enqueue(output);
        controller.close();
      },
    }),
    input: new WritableStream(),
    exit: Promise.resolve(exitCode),
    kill: () => undefined,
    resize: () => undefined,
  };
}
