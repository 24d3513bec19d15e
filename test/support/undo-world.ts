import type { EngineEvent } from '@/lib/contracts/events';
import type { CallId, SessionId, TurnId, WorkspaceId } from '@/lib/contracts/ids';
import type { PlannedCall } from '@/lib/contracts/plan';
import type { Runtime } from '@/lib/contracts/runtime';
import type { Stores } from '@/lib/contracts/store';
import type { SnapshotStore } from '@/lib/contracts/undo';
import type { OpenWorkspace } from '@/lib/engine/ports';
import { createUndo, type Undo } from '@/lib/engine/undo';
import { createGate } from '@/lib/pipeline/4-execute/gate';
import { createToolDispatcher } from '@/lib/registry/tool-dispatcher';
import { createEmbeddedRuntime } from '@/lib/runtime/embedded/create-embedded-runtime';
import { createNewId } from '@/lib/shared/new-ids';
import { createMemoryStores } from '@/lib/storage/memory-stores';
import { said, testTool } from './engine-world';

/** The embedded runtime without programs: files, and a journal of every change. */
export function createFilesRuntime(): Promise<Runtime> {
  return createEmbeddedRuntime({
    sharedMemory: true,
    // Nothing is warmed up, and nothing is told later: a test looks at the files themselves.
    schedule: () => () => undefined,
    spawnWorker: () => {
      throw new Error('this runtime starts no programs');
    },
  });
}

/** The undo of a session alone, over real files; a call is whatever a test does between its begin and its end. */
export interface UndoWorld {
  readonly undo: Undo;
  readonly runtime: Runtime;
  readonly events: EngineEvent[];
  readonly turnId: TurnId;
  readonly workspaceId: WorkspaceId;
  readonly snapshots: SnapshotStore;
  /** What happens when changed files are stored while a call runs. */
  store(): Promise<void>;
  /** As `call`, cut off before the call has ended. */
  cutOff(callId: string, act: (fs: Runtime['fs']) => Promise<unknown>): Promise<void>;
  call(callId: string, act: (fs: Runtime['fs']) => Promise<unknown>, tool?: string): Promise<void>;
  of<Type extends EngineEvent['type']>(type: Type): Extract<EngineEvent, { type: Type }>[];
}

export async function createUndoWorld(
  given: { readonly runtime?: Runtime; readonly stores?: Stores; readonly before?: readonly EngineEvent[] } = {},
): Promise<UndoWorld> {
  const runtime = given.runtime ?? (await createFilesRuntime());
  const events: EngineEvent[] = [...(given.before ?? [])];
  const sessionId = 'session' as SessionId;
  const turnId = 'turn' as TurnId;
  const workspaceId = 'workspace' as WorkspaceId;
  const { snapshots } = given.stores ?? createMemoryStores();
  const holders = new Set<() => Promise<void>>();
  let time = events.length;
  const emit = (body: object) => void events.push({ ...body, sessionId, seq: events.length, at: time++ } as EngineEvent);
  if (events.length === 0) emit({ type: 'turn-start', turnId, text: 'go', model: 'test' });
  const undo = createUndo({
    sessionId,
    workspaceId,
    events,
    workspace: {
      record: { workspaceId, name: 'test', createdAt: 0, grants: [] },
      runtime,
      beforeStored(listener: () => Promise<void>) {
        holders.add(listener);
        return () => holders.delete(listener);
      },
    } as unknown as OpenWorkspace,
    gate: createGate(),
    recorder: { emit, commit: async () => undefined },
    snapshots,
    dispatcher: createToolDispatcher([
      testTool('change', ['executes-code'], async () => said('')),
      testTool('send', ['executes-code', 'network'], async () => said('')),
      testTool('write', ['writes-files'], async () => said(''), { pathsFor: () => ({ writes: ['a.txt'], places: ['folder'] }) }),
    ]),
    now: () => time++,
    newId: createNewId('test'),
  });
  const open = (callId: string, tool: string) => undo.stepsOf(turnId).open({ call: { callId: callId as CallId }, tool, input: {} } as unknown as PlannedCall);
  const plan = (callId: string, tool: string) => {
    emit({ type: 'step-start', turnId, stepId: `step-of-${callId}`, index: 0 });
    emit({ type: 'plan-end', stepId: `step-of-${callId}`, calls: [{ callId, tool, summary: callId }], batches: [] });
  };
  return {
    undo,
    runtime,
    events,
    turnId,
    workspaceId,
    snapshots,
    async store() {
      for (const hold of holders) await hold();
    },
    async cutOff(callId, act) {
      plan(callId, 'change');
      await open(callId, 'change');
      await act(runtime.fs);
    },
    async call(callId, act, tool = 'change') {
      plan(callId, tool);
      const step = await open(callId, tool);
      await act(runtime.fs);
      await step.close();
    },
    of: (type) => events.filter((event) => event.type === type) as never,
  };
}

/** Every file as text and every folder, sorted: all that is there. */
export async function everything(runtime: Runtime): Promise<readonly string[]> {
  const walk = async (folder: string): Promise<readonly string[]> => {
    const found: string[] = [];
    for (const { name, kind } of await runtime.fs.readdir(folder)) {
      const path = folder === '' ? name : `${folder}/${name}`;
      if (kind === 'directory') found.push(`${path}/`, ...(await walk(path)));
      else found.push(`${path}=${[...(await runtime.fs.readFile(path))].map((byte) => String.fromCharCode(byte)).join('')}`);
    }
    return found;
  };
  return [...(await walk(''))].sort();
}
