import type { HostCommand } from '@/lib/contracts/host-command';
import type { ChangeJournal, Runtime, RuntimeFile, RuntimeFileSystem, SpawnOptions, SpawnWorker } from '@/lib/contracts/runtime';
import type { FileWrite } from '@/lib/contracts/store';
import { CodedError } from '@/lib/shared/coded-error';
import { ChangeGroups, type Schedule, scheduleByTimer } from './change-groups';
import { MemoryFiles } from './memory-files';
import { fromProgramPath, normalRuntimePath, toProgramPath, WORKSPACE_ROOT } from './program-path';
import { Programs } from './programs';
import { startRuntimeProcess } from './runtime-process';
import { createWorkspaceFileSystem } from './workspace-file-system';
import { WriteBehind } from './write-behind';

export interface EmbeddedRuntimePorts {
  readonly spawnWorker: SpawnWorker;
  /** Where files are kept between visits; without it they live in memory only. */
  readonly persistence?: {
    load(): Promise<{ readonly files: readonly RuntimeFile[]; readonly directories: readonly string[] }>;
    write(writes: readonly FileWrite[]): Promise<void>;
  };
  /** Commands of the shell that run on this side, made over the runtime's files: `git`. */
  readonly commands?: (fs: RuntimeFileSystem) => ReadonlyMap<string, HostCommand>;
  /** Told in words when files could not be stored. */
  readonly onProblem?: (message: string) => void;
  /** True where SharedArrayBuffer and Atomics.wait work: programs then see files live and may run `execSync`. */
  readonly sharedMemory: boolean;
  /** Defaults to timers. */
  readonly schedule?: Schedule;
  readonly now?: () => number;
}

/**
 * A runtime of our own: files in memory, shells and node programs in workers. Needs no network and no cross-origin isolation.
 *
 * Fails  as `persistence.load` does.
 */
export async function createEmbeddedRuntime(ports: EmbeddedRuntimePorts): Promise<Runtime> {
  const schedule = ports.schedule ?? scheduleByTimer;
  const files = new MemoryFiles(ports.now);
  if (ports.persistence) {
    const kept = await ports.persistence.load();
    for (const path of kept.directories) files.mkdir(toProgramPath(path), true);
    for (const file of kept.files) putFile(files, file);
  }
  const keeper = ports.persistence && keepWritten(files, ports.persistence, ports.onProblem ?? (() => undefined), schedule);
  const groups = new ChangeGroups(schedule);
  files.onChange((change) => {
    const path = fromProgramPath(change.path);
    if (path === undefined) return;
    groups.add(path, change.kind);
    keeper?.mark(path);
  });
  const fs = createWorkspaceFileSystem(files, groups);
  const programs = new Programs(files, ports.spawnWorker, ports.sharedMemory, ports.commands?.(fs));
  const cancelWarm = schedule(() => programs.warm(), 0);
  let disposed: Promise<void> | undefined;

  const dispose = async (): Promise<void> => {
    cancelWarm();
    await programs.close();
    groups.stop();
    await keeper?.flush().catch(() => undefined);
    keeper?.stop();
  };

  const actors = new Map<string, Runtime>();
  const journal: ChangeJournal = {
    listen: (listener) =>
      files.onChange((change, by) => {
        const path = fromProgramPath(change.path);
        if (path !== undefined) listener({ path, before: change.before, ...(by?.actor === undefined ? {} : { actor: by.actor }) });
      }),
    settle: async () => undefined,
    as(actor) {
      const known = actors.get(actor) ?? view(createWorkspaceFileSystem(files, groups, { actor }), actor);
      actors.set(actor, known);
      return known;
    },
    leavesOut: [],
  };
  const view = (seen: RuntimeFileSystem, actor: string | undefined): Runtime => ({
    info: {
      driver: 'embedded',
      shell: ['sh', '-c'],
      capabilities: { syncProcesses: ports.sharedMemory, persistent: ports.persistence !== undefined },
    },
    fs: seen,
    async spawn(command: string, args: readonly string[], options: SpawnOptions = {}) {
      const cwd = toProgramPath(options.cwd ?? '');
      if (files.stat(cwd)?.kind !== 'directory')
        throw new CodedError('not-available', `The folder ${JSON.stringify(options.cwd)} does not exist, so nothing was started in it.`);
      const terminal = options.terminal && { terminal: options.terminal };
      return startRuntimeProcess(programs.start, { command, args, cwd, env: options.env ?? {}, actor, ...terminal });
    },
    async mount(mounted: readonly RuntimeFile[]): Promise<void> {
      for (const file of mounted) normalRuntimePath(file.path);
      for (const file of mounted) files.actingAs({ actor }, () => putFile(files, file));
    },
    async exportFiles(): Promise<readonly RuntimeFile[]> {
      return files
        .walk(WORKSPACE_ROOT)
        .filter((entry) => entry.kind === 'file')
        .map((entry) => ({ path: fromProgramPath(entry.path) ?? '', bytes: files.readFile(entry.path).slice() }))
        .sort((a, b) => (a.path < b.path ? -1 : 1));
    },
    onServerReady() {
      return () => undefined;
    },
    async flush(): Promise<void> {
      await keeper?.flush();
    },
    dispose() {
      disposed ??= dispose();
      return disposed;
    },
    journal,
  });
  return view(fs, undefined);
}

function putFile(files: MemoryFiles, file: RuntimeFile): void {
  const path = toProgramPath(file.path);
  files.mkdir(path.slice(0, path.lastIndexOf('/')), true);
  // Not `slice`: that of a Buffer shares its memory.
  files.writeFile(path, new Uint8Array(file.bytes));
}

function keepWritten(
  files: MemoryFiles,
  persistence: NonNullable<EmbeddedRuntimePorts['persistence']>,
  onProblem: (message: string) => void,
  schedule: Schedule,
): WriteBehind {
  return new WriteBehind({
    write: (writes) => persistence.write(writes),
    read(path): FileWrite {
      const absolute = toProgramPath(path);
      const state = files.stat(absolute);
      if (!state) return { path, bytes: null };
      return state.kind === 'directory' ? { path, directory: true } : { path, bytes: files.readFile(absolute) };
    },
    onProblem,
    schedule,
  });
}
