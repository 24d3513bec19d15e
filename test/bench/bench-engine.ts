import type { SessionId, SpillRef, WorkspaceId } from '@/lib/contracts/ids';
import type { ModelFetch } from '@/lib/contracts/provider';
import type { Runtime } from '@/lib/contracts/runtime';
import type { ToolSpec } from '@/lib/contracts/tool-spec';
import { createEngine, type Engine } from '@/lib/engine/engine';
import type { OpenWorkspace } from '@/lib/engine/ports';
import { createGit } from '@/lib/git/create-git';
import { createToolDispatcher } from '@/lib/registry/tool-dispatcher';
import { createWorkspaceFiles } from '@/lib/runtime/workspace-files';
import { createNewId } from '@/lib/shared/new-ids';
import { systemClock } from '@/lib/shared/system-clock';
import { createMemoryLinks } from '@/lib/storage/memory-link';
import { createMemoryStores } from '@/lib/storage/memory-stores';
import { createModelPort } from '@/workers/model-port';

export interface BenchEngine {
  readonly engine: Engine;
  /** Opens a session, so that a turn finds no history, and answers with its one turn: from the message that is sent until all of it is stored. */
  session(): Promise<{ turn(): Promise<void>; remove(): Promise<void> }>;
}

/** The whole engine over memory stores, with a model whose bytes the bench gives. */
export async function benchEngine(tools: readonly ToolSpec[], fetch: ModelFetch, runtime: Runtime): Promise<BenchEngine> {
  const newId = createNewId('bench');
  const record = { workspaceId: newId<WorkspaceId>('workspace'), name: 'bench', createdAt: 0, grants: [] };
  const workspace: OpenWorkspace = {
    record,
    runtime,
    files: createWorkspaceFiles(runtime),
    git: createGit(runtime.fs, { now: systemClock.now, author: { name: 'Test', email: 'test@example.invalid' } }),
    search: async () => [],
  };
  const models = createModelPort({ fetch, practice: fetch, practiceWire: 'anthropic', clock: systemClock, random: Math.random });
  const engine = createEngine({
    dispatcher: createToolDispatcher(tools),
    stores: createMemoryStores(),
    workspaces: { create: async () => record, open: async () => workspace, close: async () => undefined, remove: async () => undefined },
    models,
    tasks: [],
    link: createMemoryLinks().link(),
    clock: systemClock,
    newId,
    newSpillRef: () => newId<SpillRef>('spill'),
  });
  return {
    engine,
    async session() {
      const created = await engine.command({ type: 'session-create' });
      if (!created.ok) throw new Error(created.message);
      const sessionId: SessionId = created.value.record.sessionId;
      return {
        async turn() {
          await engine.command({ type: 'turn-send', sessionId, text: 'go' });
          await engine.idle(sessionId);
        },
        async remove() {
          await engine.command({ type: 'session-remove', sessionId });
        },
      };
    },
  };
}
