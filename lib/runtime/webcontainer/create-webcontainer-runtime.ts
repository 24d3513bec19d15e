import type { FileSystemTree } from '@webcontainer/api';
import type { Clock } from '@/lib/contracts/clock';
import type { Runtime, RuntimeFile, RuntimeProcess } from '@/lib/contracts/runtime';
import { ChangeGroups } from '@/lib/runtime/embedded/change-groups';
import { normalRuntimePath } from '@/lib/runtime/embedded/program-path';
import { encodeUtf8 } from '@/lib/shared/bytes';
import { CodedError, messageOf } from '@/lib/shared/coded-error';
import type { WebContainerInstance } from './instance';
import { createWebContainerFiles } from './webcontainer-files';
import { adoptProcess, notFoundProcess } from './webcontainer-process';

export interface WebContainerRuntimePorts {
  readonly instance: WebContainerInstance;
  readonly after: Clock['after'];
  /** Told once, when the instance is gone. */
  readonly onDispose?: () => void;
}

/**
 * The vendor's booted instance as a runtime. It keeps nothing: what lies in it is gone with the page.
 *
 * Source the published types of @webcontainer/api 1.6.4. The real one was never met here; `npm run smoke:webcontainer` tries it.
 */
export function createWebContainerRuntime({ instance, after, onDispose = () => undefined }: WebContainerRuntimePorts): Runtime {
  const { fs, kindOf } = createWebContainerFiles(instance);
  const groups = new ChangeGroups((act, delayMs) => after(delayMs, act));
  const running = new Set<RuntimeProcess>();
  let watcher: { close(): void } | undefined;
  let disposed = false;

  const watchAll = () => {
    watcher ??= instance.fs.watch('.', { recursive: true }, (_event, name) => {
      const path = (typeof name === 'string' ? name : new TextDecoder().decode(name)).replace(/^\.?\//, '');
      void kindOf(path).then((kind) => groups.add(path, kind === undefined ? 'removed' : 'changed'));
    });
  };

  return {
    info: { driver: 'webcontainer', shell: ['jsh', '-c'], capabilities: { syncProcesses: true, persistent: false } },
    fs: {
      ...fs,
      watch(path, listener) {
        watchAll();
        return groups.watch(normalRuntimePath(path), listener);
      },
    },
    async spawn(command, args, options = {}) {
      if (disposed) throw new CodedError('not-available', 'The WebContainer was closed, so nothing can be started in it.');
      const cwd = normalRuntimePath(options.cwd ?? '');
      if ((await kindOf(cwd)) !== 'directory')
        throw new CodedError('not-available', `The folder ${JSON.stringify(options.cwd)} does not exist, so nothing was started in it.`);
      try {
        // Its shell has a name of its own.
        const child = await instance.spawn(command === 'sh' ? 'jsh' : command, [...args], {
          ...(cwd === '' ? {} : { cwd }),
          ...(options.env && { env: { ...options.env } }),
          ...(options.terminal && { terminal: { ...options.terminal } }),
        });
        const program: RuntimeProcess = adoptProcess(child, after, () => running.delete(program));
        running.add(program);
        return program;
      } catch (error) {
        return notFoundProcess(`${command}: ${messageOf(error)}`);
      }
    },
    async mount(files) {
      if (files.length > 0) await instance.mount(treeOf(files.map(({ path, bytes }) => ({ path: normalRuntimePath(path), bytes }))));
    },
    async exportFiles() {
      return filesOf(await instance.export('.', { format: 'json' }), '').sort((a, b) => (a.path < b.path ? -1 : 1));
    },
    onServerReady: (listener) => instance.on('server-ready', listener),
    async flush() {
      // Nothing is kept; the workspace's own copy is the mirror's work.
    },
    async dispose() {
      if (disposed) return;
      disposed = true;
      for (const program of [...running]) program.kill();
      watcher?.close();
      groups.stop();
      instance.teardown();
      onDispose();
    },
  };
}

function treeOf(files: readonly RuntimeFile[]): FileSystemTree {
  const root: FileSystemTree = {};
  for (const { path, bytes } of files) {
    const names = path.split('/');
    let folder = root;
    for (const name of names.slice(0, -1)) {
      const known = folder[name];
      const inner = known !== undefined && 'directory' in known ? known : { directory: {} };
      folder[name] = inner;
      folder = inner.directory;
    }
    folder[names.at(-1) ?? ''] = { file: { contents: new Uint8Array(bytes) } };
  }
  return root;
}

/** Links are left out: the contract knows none. */
function filesOf(tree: FileSystemTree, folder: string): RuntimeFile[] {
  return Object.entries(tree).flatMap(([name, node]): RuntimeFile[] => {
    const path = folder === '' ? name : `${folder}/${name}`;
    if ('directory' in node) return filesOf(node.directory, path);
    if (!('contents' in node.file)) return [];
    const { contents } = node.file;
    return [{ path, bytes: typeof contents === 'string' ? encodeUtf8(contents) : new Uint8Array(contents) }];
  });
}
