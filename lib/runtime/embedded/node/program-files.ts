import { MemoryFiles } from '@/lib/runtime/embedded/memory-files';
import type { Call, FilesAccess, SnapshotChange, WorkerScope } from '@/lib/runtime/embedded/protocol';
import { awaitAnswer } from '@/lib/runtime/embedded/shared-answers';
import { applyChange } from '@/lib/runtime/embedded/snapshot-feed';
import type { FileCall, FileState, SyncFiles } from '@/lib/runtime/embedded/sync-files';
import { CodedError } from '@/lib/shared/coded-error';

/** What a program reaches outside its worker, synchronously. */
export interface SyncHost {
  readonly files: SyncFiles;
  /** Asks the engine's side and waits; undefined where there is no shared memory to wait on. */
  readonly ask: ((call: Call) => unknown) | undefined;
  /** Changes that others made, for a snapshot. */
  applyChanges(changes: readonly SnapshotChange[]): void;
}

export function createSyncHost(access: FilesAccess, scope: WorkerScope): SyncHost {
  return access.kind === 'shared' ? createSharedHost(access.memory, scope) : createSnapshotHost(access, scope);
}

function createSharedHost(memory: SharedArrayBuffer, scope: WorkerScope): SyncHost {
  const ask = (call: Call): unknown => {
    scope.post({ type: 'sync-call', call });
    const answer = awaitAnswer(memory, () => scope.post({ type: 'sync-next' }));
    if (answer.ok) return answer.value;
    throw new CodedError(answer.code, answer.message);
  };
  const file = (call: FileCall): unknown => ask({ kind: 'file', call });
  const files: SyncFiles = {
    readFile: (...args) => file({ op: 'readFile', args }) as Uint8Array,
    writeFile: (...args) => void file({ op: 'writeFile', args }),
    appendFile: (...args) => void file({ op: 'appendFile', args }),
    stat: (...args) => file({ op: 'stat', args }) as FileState | undefined,
    readdir: (...args) => file({ op: 'readdir', args }) as ReturnType<SyncFiles['readdir']>,
    mkdir: (...args) => void file({ op: 'mkdir', args }),
    rm: (...args) => void file({ op: 'rm', args }),
    rename: (...args) => void file({ op: 'rename', args }),
    chmod: (...args) => void file({ op: 'chmod', args }),
    utimes: (...args) => void file({ op: 'utimes', args }),
  };
  return { files, ask, applyChanges: () => undefined };
}

/** A copy of all files; each change is repeated on the engine's files in order, before the program's exit is. */
function createSnapshotHost(access: Extract<FilesAccess, { kind: 'snapshot' }>, scope: WorkerScope): SyncHost {
  const copy = new MemoryFiles();
  for (const path of access.directories) copy.mkdir(path, true);
  for (const { path, bytes } of access.files) copy.writeFile(path, bytes);
  const post = (call: FileCall): void => scope.post({ type: 'write', call });
  const files: SyncFiles = {
    readFile: (path) => copy.readFile(path),
    stat: (path) => copy.stat(path),
    readdir: (path) => copy.readdir(path),
    writeFile(...args) {
      copy.writeFile(...args);
      post({ op: 'writeFile', args });
    },
    appendFile(...args) {
      copy.appendFile(...args);
      post({ op: 'appendFile', args });
    },
    mkdir(...args) {
      copy.mkdir(...args);
      post({ op: 'mkdir', args });
    },
    rm(...args) {
      copy.rm(...args);
      post({ op: 'rm', args });
    },
    rename(...args) {
      copy.rename(...args);
      post({ op: 'rename', args });
    },
    chmod(...args) {
      copy.chmod(...args);
      post({ op: 'chmod', args });
    },
    utimes(...args) {
      copy.utimes(...args);
      post({ op: 'utimes', args });
    },
  };
  return {
    files,
    ask: undefined,
    applyChanges(changes) {
      for (const change of changes) applyChange(copy, change);
    },
  };
}
