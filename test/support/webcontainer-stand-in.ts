import type { FileSystemTree, SpawnOptions } from '@webcontainer/api';
import type { Runtime, RuntimeFile, RuntimeProcess } from '@/lib/contracts/runtime';
import { createEmbeddedRuntime } from '@/lib/runtime/embedded/create-embedded-runtime';
import type { WebContainerInstance, WebContainerProgram } from '@/lib/runtime/webcontainer/instance';
import { encodeUtf8 } from '@/lib/shared/bytes';
import { createThreadSpawner } from '@/scripts/support/spawn-thread-worker';

/** Programs that can be started by their own name; the shell goes by the vendor's. */
const programs = new Set(['jsh', 'node', 'npm', 'npx', 'cat', 'printf', 'ls', 'echo']);

/**
 * A WebContainer as its published types describe it, over memory and this machine's threads. It is harsh where they leave room:
 * errors carry no codes, the input stream has no end, a killed program exits 143, and only the vendor's shell is there.
 */
export async function bootWebContainerStandIn(): Promise<WebContainerInstance> {
  const inner = await createEmbeddedRuntime({ spawnWorker: await createThreadSpawner(), sharedMemory: true });
  const { fs } = inner;
  const readdir = async (path: string, options?: { readonly withFileTypes?: boolean } | null) => {
    const entries = await plainErrors(fs.readdir(relative(path)));
    if (options?.withFileTypes !== true) return entries.map((entry) => entry.name);
    return entries.map(({ name, kind }) => ({ name, isFile: () => kind === 'file', isDirectory: () => kind === 'directory' }));
  };
  const spawn = async (command: string, args: string[], options?: SpawnOptions): Promise<WebContainerProgram> => {
    if (!programs.has(command)) throw new Error('command not found');
    const env = options?.env && Object.fromEntries(Object.entries(options.env).map(([name, value]) => [name, String(value)]));
    const child = await inner.spawn(command === 'jsh' ? 'sh' : command, args, {
      ...(options?.cwd === undefined ? {} : { cwd: relative(options.cwd) }),
      ...(env && { env }),
      ...(options?.terminal && { terminal: options.terminal }),
    });
    return program(child, options?.terminal !== undefined);
  };
  return {
    fs: {
      readFile: ((path: string) => plainErrors(fs.readFile(relative(path)))) as WebContainerInstance['fs']['readFile'],
      writeFile: (path, data) => plainErrors(fs.writeFile(relative(path), data)),
      readdir: readdir as WebContainerInstance['fs']['readdir'],
      mkdir: (async (path: string, options?: { recursive?: boolean }) => {
        await plainErrors(fs.mkdir(relative(path), { recursive: options?.recursive ?? false }));
        return path;
      }) as WebContainerInstance['fs']['mkdir'],
      async rm(path, options) {
        if (options?.recursive !== true && (await fs.stat(relative(path)))?.kind === 'directory') throw new Error(`Path is a directory: rm '${path}'`);
        await plainErrors(fs.rm(relative(path), { recursive: options?.recursive ?? false, force: options?.force ?? false }));
      },
      rename: (from, to) => plainErrors(fs.rename(relative(from), relative(to))),
      watch: ((path: string, _options: unknown, listener: (event: 'rename' | 'change', name: string) => void) => {
        const stop = fs.watch(relative(path), (changes) => {
          for (const change of changes) listener(change.kind === 'removed' ? 'rename' : 'change', change.path);
        });
        return { close: stop };
      }) as WebContainerInstance['fs']['watch'],
    },
    spawn: spawn as WebContainerInstance['spawn'],
    mount: (tree) => mountTree(inner, tree as FileSystemTree),
    export: (async () => treeOf(await inner.exportFiles())) as unknown as WebContainerInstance['export'],
    on: () => () => undefined,
    teardown: () => void inner.dispose(),
  };
}

function relative(path: string): string {
  return path === '.' ? '' : path.replace(/^\.?\//, '');
}

/** As errors arrive from the vendor's frame: a message, no code. */
async function plainErrors<Value>(attempt: Promise<Value>): Promise<Value> {
  try {
    return await attempt;
  } catch (error) {
    throw new Error(error instanceof Error ? error.message : String(error));
  }
}

function program(child: RuntimeProcess, terminal: boolean): WebContainerProgram {
  const writer = child.input.getWriter();
  let atLineStart = true;
  let killed = false;
  const write = async (text: string): Promise<void> => {
    if (terminal) return writer.write(text);
    for (const [index, part] of text.split('\x04').entries()) {
      if (index > 0) {
        if (atLineStart) return writer.close();
        atLineStart = true;
      }
      if (part === '') continue;
      await writer.write(part);
      atLineStart = part.endsWith('\n');
    }
  };
  return {
    output: child.output,
    input: new WritableStream<string>({ write: (text) => write(text).catch(() => undefined) }),
    exit: child.exit.then((code) => (killed ? 143 : code)),
    kill() {
      killed = true;
      child.kill();
    },
    resize: (size) => child.resize(size),
  };
}

async function mountTree(inner: Runtime, tree: FileSystemTree, folder = ''): Promise<void> {
  for (const [name, node] of Object.entries(tree)) {
    const path = folder === '' ? name : `${folder}/${name}`;
    if ('directory' in node) {
      await inner.fs.mkdir(path, { recursive: true });
      await mountTree(inner, node.directory, path);
    } else if ('contents' in node.file) {
      const { contents } = node.file;
      await inner.mount([{ path, bytes: typeof contents === 'string' ? encodeUtf8(contents) : contents }]);
    }
  }
}

/** Text where the bytes are text, as the vendor's JSON has it. */
function treeOf(files: readonly RuntimeFile[]): FileSystemTree {
  const root: FileSystemTree = {};
  for (const { path, bytes } of files) {
    const names = path.split('/');
    let folder = root;
    for (const name of names.slice(0, -1)) {
      const node = folder[name] ?? { directory: {} };
      folder[name] = node;
      if ('directory' in node) folder = node.directory;
    }
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
    folder[names.at(-1) ?? ''] = { file: { contents: text.includes('\ufffd') ? bytes : text } };
  }
  return root;
}
