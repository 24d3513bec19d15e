import type { Clock } from '@/lib/contracts/clock';
import type { NewId, Now, WorkspaceId } from '@/lib/contracts/ids';
import type { Runtime, SpawnWorker } from '@/lib/contracts/runtime';
import type { FileWrite, WorkspaceRecord, WorkspaceStore } from '@/lib/contracts/store';
import type { OpenWorkspace, WorkspacePort } from '@/lib/engine/ports';
import { runGit } from '@/lib/git/command/run-git';
import { createGit } from '@/lib/git/create-git';
import { createLanguage } from '@/lib/language/create-language';
import { createEmbeddedRuntime } from '@/lib/runtime/embedded/create-embedded-runtime';
import { createMovableRuntime, type MovableRuntime } from '@/lib/runtime/movable-runtime';
import { createPageHosting } from '@/lib/runtime/page-hosting';
import { createSearch } from '@/lib/runtime/search';
import { createWorkspaceFiles } from '@/lib/runtime/workspace-files';
import { CodedError } from '@/lib/shared/coded-error';

export interface WorkspacePortOptions {
  readonly store: WorkspaceStore;
  readonly spawnWorker: SpawnWorker;
  /** SharedArrayBuffer may be used (the page is cross-origin isolated, or this is Node). */
  readonly sharedMemory: boolean;
  readonly now: Now;
  readonly clock: Pick<Clock, 'after'>;
  readonly newId: NewId;
  /** Fills a new workspace with files and history; answers its name. */
  readonly furnish: (runtime: Runtime, taskId: string | undefined) => Promise<string>;
  readonly onProblem: (message: string) => void;
}

/** Signs commits of a workspace that names nobody itself. */
const workspaceAuthor = { name: 'Gatehouse', email: 'workspace@gatehouse.invalid' };

/** A workspace that can move to a runtime of the page. */
type MovableWorkspace = OpenWorkspace & { readonly runtime: MovableRuntime };

export interface HostedWorkspaces extends WorkspacePort {
  /** Moves an open workspace to the runtime that the page offers; without one back to its own. Fails as `PageHosting.move`. */
  moveTo(workspaceId: WorkspaceId, offered: Runtime | undefined): Promise<void>;
}

/** Workspaces on the embedded runtime, their files kept in the workspace store. */
export function createWorkspacePort(options: WorkspacePortOptions): HostedWorkspaces {
  const open = new Map<WorkspaceId, Promise<MovableWorkspace>>();
  const hosting = createPageHosting(options.onProblem);
  const search = createSearch(options.spawnWorker);
  const start = async (record: WorkspaceRecord): Promise<MovableWorkspace> => {
    const holders = new Set<() => Promise<void>>();
    const own = await createEmbeddedRuntime({
      spawnWorker: options.spawnWorker,
      sharedMemory: options.sharedMemory,
      onProblem: options.onProblem,
      commands: (fs) => new Map([['git', (request) => runGit(request, { fs, now: options.now, author: workspaceAuthor })]]),
      persistence: {
        load: () => options.store.loadFiles(record.workspaceId),
        async write(writes: readonly FileWrite[]) {
          await Promise.all([...holders].map((hold) => hold()));
          await options.store.writeFiles(record.workspaceId, writes);
        },
      },
    });
    const runtime: MovableRuntime = createMovableRuntime(own, () => language.dispose());
    const files = createWorkspaceFiles(runtime);
    const language = createLanguage({ runtime, files, spawnWorker: options.spawnWorker, clock: options.clock });
    return {
      record,
      runtime,
      files,
      language,
      git: createGit(runtime.fs, { now: options.now, author: workspaceAuthor }),
      search,
      beforeStored(listener) {
        holders.add(listener);
        return () => holders.delete(listener);
      },
    };
  };
  const opening = (record: WorkspaceRecord): Promise<MovableWorkspace> => {
    const known = open.get(record.workspaceId);
    if (known !== undefined) return known;
    const started = start(record);
    open.set(record.workspaceId, started);
    started.catch(() => open.delete(record.workspaceId));
    return started;
  };
  const close = async (workspaceId: WorkspaceId) => {
    const running = await open.get(workspaceId)?.catch(() => undefined);
    open.delete(workspaceId);
    await running?.runtime.dispose();
  };
  return {
    async create(taskId) {
      const workspaceId = options.newId<WorkspaceId>('workspace');
      const record: WorkspaceRecord = { workspaceId, name: taskId ?? 'workspace', createdAt: options.now(), grants: [] };
      await options.store.put(record);
      const { runtime } = await opening(record);
      const name = await options.furnish(runtime, taskId);
      await runtime.flush();
      const named = { ...record, name };
      await options.store.put(named);
      return named;
    },
    async open(workspaceId) {
      const record = await options.store.get(workspaceId);
      if (record === undefined)
        throw new CodedError(
          'not-found',
          'The workspace of this session is not stored here any more. Its conversation can be read; start a new session to work.',
        );
      return opening(record);
    },
    close,
    async moveTo(workspaceId, offered) {
      const workspace = await open.get(workspaceId);
      if (workspace === undefined) throw new CodedError('not-found', 'The workspace of this session is not open here.');
      await hosting.move(workspace.runtime, offered);
    },
    async remove(workspaceId) {
      await close(workspaceId);
      await options.store.remove(workspaceId);
    },
  };
}
