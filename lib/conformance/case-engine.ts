import type { EngineEvent } from '@/lib/contracts/events';
import type { SessionId, SpillRef, WorkspaceId } from '@/lib/contracts/ids';
import type { ModelStreamItem, StreamModel } from '@/lib/contracts/model';
import type { Stores } from '@/lib/contracts/store';
import type { ToolSpec } from '@/lib/contracts/tool-spec';
import { createEngine, type Engine } from '@/lib/engine/engine';
import type { OpenWorkspace } from '@/lib/engine/ports';
import { createGit } from '@/lib/git/create-git';
import { createToolDispatcher } from '@/lib/registry/tool-dispatcher';
import { createWorkspaceFiles } from '@/lib/runtime/workspace-files';
import { createNewId } from '@/lib/shared/new-ids';
import { createMemoryLinks } from '@/lib/storage/memory-link';
import { createMemoryStores } from '@/lib/storage/memory-stores';
import { emptyRuntime } from './empty-runtime';
import { createVirtualClock, type VirtualClock } from './virtual-clock';

/** The whole engine over memory and virtual time, with a session in mode ask. */
export interface CaseEngine {
  readonly engine: Engine;
  readonly clock: VirtualClock;
  readonly stores: Stores;
  readonly sessionId: SessionId;
  /** What was said so far, in order. */
  readonly events: readonly EngineEvent[];
  of<Type extends EngineEvent['type']>(type: Type): Extract<EngineEvent, { type: Type }>[];
  /** Sends a message; the turn runs on as far as it waits for no timer and no person. */
  send(): Promise<void>;
}

/** Opens an engine for one case; `answers[n]` streams what the model says to the request n, later requests get a plain end. */
export async function openCaseEngine(tools: readonly ToolSpec[], answers: readonly StreamModel[]): Promise<CaseEngine> {
  const clock = createVirtualClock();
  const stores = createMemoryStores();
  const newId = createNewId('case');
  const record = { workspaceId: newId<WorkspaceId>('workspace'), name: 'case', createdAt: clock.now(), grants: [] };
  const workspace: OpenWorkspace = {
    record,
    runtime: emptyRuntime,
    files: createWorkspaceFiles(emptyRuntime),
    git: createGit(emptyRuntime.fs, { now: clock.now, author: { name: 'Case', email: 'case@example.invalid' } }),
    search: async () => [],
  };
  let requests = 0;
  const choice = { kind: 'practice' } as const;
  const engine = createEngine({
    dispatcher: createToolDispatcher(tools),
    stores,
    workspaces: { create: async () => record, open: async () => workspace, close: async () => undefined, remove: async () => undefined },
    models: {
      current: () => choice,
      connect: () => choice,
      choose: () => choice,
      test: async () => 'ready',
      open: () => ({ name: 'case', stream: (request, signal) => (answers[requests++] ?? plainEnd)(request, signal) }),
    },
    tasks: [],
    link: createMemoryLinks().link(),
    clock,
    newId,
    newSpillRef: () => newId<SpillRef>('spill'),
  });
  const events: EngineEvent[] = [];
  engine.subscribe((group) => void events.push(...group));
  const created = await engine.command({ type: 'session-create' });
  if (!created.ok) throw new Error(created.message);
  const { sessionId } = created.value.record;
  return {
    engine,
    clock,
    stores,
    sessionId,
    events,
    of: (type) => events.filter((event) => event.type === type) as never,
    async send() {
      const sent = await engine.command({ type: 'turn-send', sessionId, text: 'go' });
      if (!sent.ok) throw new Error(sent.message);
      await clock.settle();
    },
  };
}

async function* plainEnd(): AsyncIterable<ModelStreamItem> {
  yield { type: 'text-delta', text: 'Done.' };
  yield { type: 'stop', reason: 'end', raw: 'stop' };
}
