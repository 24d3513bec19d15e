import type { RuntimeFile } from '@/lib/contracts/runtime';
import type { FileWrite } from '@/lib/contracts/store';
import { createEmbeddedRuntime } from '@/lib/runtime/embedded/create-embedded-runtime';
import { createThreadSpawner } from '@/scripts/support/spawn-thread-worker';
import { describeDisposeContract, describeRuntimeContract, type RuntimeWorld } from './runtime-contract';

/** A store of one workspace in memory, by the rules of `WorkspaceStore`. */
function createKeptFiles() {
  const files = new Map<string, Uint8Array>();
  const directories = new Set<string>();
  return {
    async load(): Promise<{ readonly files: readonly RuntimeFile[]; readonly directories: readonly string[] }> {
      return { files: [...files].map(([path, bytes]) => ({ path, bytes })), directories: [...directories] };
    },
    async write(writes: readonly FileWrite[]): Promise<void> {
      for (const write of writes) {
        if ('directory' in write) directories.add(write.path);
        else if (write.bytes) files.set(write.path, write.bytes);
        else {
          files.delete(write.path);
          directories.delete(write.path);
        }
      }
    },
  };
}

function makeWorld(sharedMemory: boolean): () => Promise<RuntimeWorld> {
  return async () => {
    const spawnWorker = await createThreadSpawner();
    const persistence = createKeptFiles();
    const open = () => createEmbeddedRuntime({ spawnWorker, sharedMemory, persistence });
    return { runtime: await open(), reopen: open };
  };
}

for (const sharedMemory of [true, false]) {
  const name = `embedded ${sharedMemory ? 'with' : 'without'} shared memory`;
  describeRuntimeContract(name, makeWorld(sharedMemory));
  describeDisposeContract(name, makeWorld(sharedMemory));
}
