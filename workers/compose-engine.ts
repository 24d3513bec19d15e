import type { Clock } from '@/lib/contracts/clock';
import type { PracticePace } from '@/lib/contracts/commands';
import type { SessionId, SpillRef } from '@/lib/contracts/ids';
import type { FetchWeb } from '@/lib/contracts/network';
import type { Runtime, SpawnWorker } from '@/lib/contracts/runtime';
import type { SessionLink } from '@/lib/contracts/session-link';
import type { Stores } from '@/lib/contracts/store';
import { createEngine, type Engine } from '@/lib/engine/engine';
import { createModelSummary } from '@/lib/engine/summarise-with-model';
import { commitAll } from '@/lib/git/first-commit';
import { createPracticeEndpoint } from '@/lib/practice/practice-endpoint';
import { findTask, practiceScripts, practiceTasks } from '@/lib/practice/tasks';
import { fixTheTestWorkspace } from '@/lib/practice/workspaces/fix-the-test';
import { runtimeFiles } from '@/lib/practice/workspaces/workspace';
import { createToolDispatcher } from '@/lib/registry/tool-dispatcher';
import { messageOf } from '@/lib/shared/coded-error';
import { createNewId, newTab } from '@/lib/shared/new-ids';
import { createMemoryLinks } from '@/lib/storage/memory-link';
import { createSpillIds } from '@/lib/storage/spill-ids';
import { builtInTools } from '@/lib/tools/registry.gen';
import { createModelPort, type ModelPortOptions } from './model-port';
import { createWorkspacePort, type WorkspacePortOptions } from './workspace-port';

export interface HostPorts {
  readonly stores: Stores;
  readonly spawnWorker: SpawnWorker;
  readonly sharedMemory: boolean;
  readonly clock: Clock;
  readonly fetch: ModelPortOptions['fetch'];
  /** The way of tools to public pages; absent = there is none. */
  readonly fetchWeb?: FetchWeb;
  /** Long texts from outside go to the model in short, made by this model of the connected provider, or by head and signal lines; absent = off. */
  readonly summarise?: { readonly model?: string };
  readonly practicePace: PracticePace;
  readonly practiceWire: ModelPortOptions['practiceWire'];
  /** Left out: this engine has every session to itself. */
  readonly link?: SessionLink;
  /** Fills new workspaces in the place of the practice starters. */
  readonly furnish?: WorkspacePortOptions['furnish'];
  /** Set when the stores keep nothing: what a person has to know. */
  readonly forgetful?: string;
  readonly onProblem: (message: string) => void;
}

export interface ComposedEngine extends Engine {
  /** See EngineHost. */
  offerRuntime(sessionId: SessionId, runtime: Runtime | undefined): Promise<void>;
}

/** The engine with everything it stands on: the same composition in the page's worker and headless. */
export function composeEngine(host: HostPorts): ComposedEngine {
  const { clock } = host;
  const tab = newTab();
  const newId = createNewId(tab);
  const nextSpillId = createSpillIds({ tab, now: clock.now });
  let speed = speedOf[host.practicePace];
  const practice = createPracticeEndpoint({ scripts: practiceScripts, sleep: clock.sleep, speed: () => speed, now: clock.now });
  void host.stores.spills.cleanUp(clock.now()).catch((error: unknown) => host.onProblem(`Old stored results could not be removed: ${messageOf(error)}`));
  const workspaces = createWorkspacePort({
    store: host.stores.workspaces,
    spawnWorker: host.spawnWorker,
    sharedMemory: host.sharedMemory,
    now: clock.now,
    clock,
    newId,
    furnish: host.furnish ?? furnish,
    onProblem: host.onProblem,
  });
  const models = createModelPort({ fetch: host.fetch, practice, practiceWire: host.practiceWire, clock, random: Math.random });
  const cheap = host.summarise?.model;
  const engine = createEngine({
    dispatcher: createToolDispatcher(builtInTools),
    stores: host.stores,
    workspaces,
    models,
    pacePractice(pace) {
      speed = speedOf[pace];
    },
    tasks: practiceTasks.map(({ taskId, title, description, prompt }) => ({ taskId, title, description, prompt })),
    link: host.link ?? createMemoryLinks().link(),
    fetchWeb: host.fetchWeb,
    summarise: cheap === undefined ? host.summarise && {} : createModelSummary(() => models.openNamed(cheap), clock),
    clock,
    newId,
    newSpillRef: () => nextSpillId() as SpillRef,
    ...(host.forgetful === undefined ? {} : { forgetful: host.forgetful }),
  });
  return {
    ...engine,
    async offerRuntime(sessionId, runtime) {
      const { record } = await engine.workspaceOf(sessionId);
      await workspaces.moveTo(record.workspaceId, runtime);
    },
  };
}

/** As many times the pace of a quick model. */
const speedOf: Readonly<Record<PracticePace, number>> = { slow: 0.35, model: 1, instant: Number.POSITIVE_INFINITY };

const author = { name: 'Gatehouse practice', email: 'practice@example.invalid' };
/** 2026-01-05 09:00 UTC: the history is the same whenever it is made. */
const firstCommitAtSeconds = 1_767_603_600;

/** Fills a new workspace: its files as they came to be, one commit after the other. */
async function furnish(runtime: Runtime, taskId: string | undefined): Promise<string> {
  const starter = (taskId === undefined ? undefined : findTask(taskId))?.workspace ?? fixTheTestWorkspace;
  for (const [index, commit] of starter.history.entries()) {
    await runtime.mount(runtimeFiles(commit.files ?? starter.files));
    await commitAll(runtime, commit.message, author, firstCommitAtSeconds + index * 86_400);
  }
  return starter.name;
}
