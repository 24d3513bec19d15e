import type { Runtime } from '@/lib/contracts/runtime';

/** A runtime with no files that starts no programs: for turns whose tools touch neither. */
export const emptyRuntime: Runtime = {
  info: { driver: 'embedded', shell: ['sh', '-c'], capabilities: { syncProcesses: false, persistent: false } },
  fs: {
    readFile: async () => new Uint8Array(),
    readMany: async () => [],
    writeFile: async () => undefined,
    readdir: async () => [],
    stat: async () => undefined,
    mkdir: async () => undefined,
    rm: async () => undefined,
    rename: async () => undefined,
    watch: () => () => undefined,
  },
  spawn: async () => {
    throw new Error('this runtime runs no programs');
  },
  mount: async () => undefined,
  exportFiles: async () => [],
  onServerReady: () => () => undefined,
  flush: async () => undefined,
  dispose: async () => undefined,
};
