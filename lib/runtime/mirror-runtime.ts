import type { ChangeJournal, DirectoryEntry, Runtime, RuntimeProcess } from '@/lib/contracts/runtime';
import { messageOf } from '@/lib/shared/coded-error';
import { normalRuntimePath } from './embedded/program-path';

export interface MirrorPorts {
  /** Where files live and programs run; it keeps nothing by itself. */
  readonly source: Runtime;
  /** Gets every change of the files, and keeps them between visits. */
  readonly keeper: Runtime;
  readonly onProblem: (message: string) => void;
  /** Told when the mirror was disposed of or left. */
  readonly onEnd: () => void;
}

/** A runtime whose files are also kept elsewhere. */
export interface Mirror {
  readonly runtime: Runtime;
  /** Takes the last changes over and lets the source go; answers the keeper, which lives on. */
  leave(): Promise<Runtime>;
}

/**
 * Makes `source` durable by `keeper`: what is written through it is known at once, what programs write by watching, and when one
 * ends all is compared. `node_modules` is not kept: it can be installed again.
 */
export function mirrorRuntime({ source, keeper, onProblem, onEnd }: MirrorPorts): Mirror {
  const dirty = new Set<string>();
  /** Who changed a path, or a folder above it, through this runtime; what programs write is nobody's. Forgotten once it was taken over. */
  const writers = new Map<string, string>();
  const programs = new Set<RuntimeProcess>();
  let working: Promise<void> | undefined;
  let over = false;

  const note = (path: string): void => {
    if (over) return;
    dirty.add(path);
    working ??= work().finally(() => {
      working = undefined;
    });
  };
  const work = async (): Promise<void> => {
    while (dirty.size > 0) {
      const paths = dirty.has('') ? [''] : [...dirty];
      dirty.clear();
      for (const path of paths) {
        try {
          await takeOver(source, keeper, path);
        } catch (error) {
          // Something changed under way, or a folder took a file's place: looking at everything settles it.
          if (path !== '') dirty.add('');
          else onProblem(`Files of the WebContainer could not be stored in this browser: ${messageOf(error)} They are stored with the next change.`);
        }
      }
    }
    writers.clear();
  };
  const settle = async (): Promise<void> => {
    while (working !== undefined) await working;
  };
  const after = async <Value>(done: Promise<Value>, ...paths: readonly string[]): Promise<Value> => {
    const value = await done;
    for (const path of paths) note(normalRuntimePath(path));
    return value;
  };
  const writerOf = (path: string): string | undefined => {
    for (let at = path; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
      const writer = writers.get(at);
      if (writer !== undefined) return writer;
    }
    return undefined;
  };
  const marked = async (mark: (path: string) => void, done: Promise<void>, ...paths: readonly string[]): Promise<void> => {
    for (const path of paths) mark(path);
    return after(done, ...paths);
  };
  const stopWatching = source.fs.watch('', (changes) => {
    for (const change of changes) note(change.path);
  });
  const end = async (): Promise<void> => {
    for (const program of [...programs]) program.kill();
    note('');
    await settle();
    over = true;
    stopWatching();
    await source.dispose();
    onEnd();
  };

  const { fs } = source;
  const written = keeper.journal;
  const journal: ChangeJournal | undefined = written && {
    listen: (listener) =>
      written.listen(({ path, before }) => {
        const actor = writerOf(path);
        listener({ path, before, ...(actor === undefined ? {} : { actor }) });
      }),
    settle,
    as: (actor) => view((path) => void writers.set(normalRuntimePath(path), actor)),
    leavesOut: ['node_modules'],
  };
  const view = (mark: (path: string) => void): Runtime => ({
    info: { ...source.info, capabilities: { ...source.info.capabilities, persistent: keeper.info.capabilities.persistent } },
    fs: {
      ...fs,
      writeFile: (path, data) => marked(mark, fs.writeFile(path, data), path),
      mkdir: (path, options) => marked(mark, fs.mkdir(path, options), path),
      rm: (path, options) => marked(mark, fs.rm(path, options), path),
      rename: (from, to) => marked(mark, fs.rename(from, to), from, to),
    },
    async spawn(command, args, options) {
      const program = await source.spawn(command, args, options);
      programs.add(program);
      void program.exit.then(() => {
        programs.delete(program);
        note('');
      });
      return program;
    },
    mount: (files) => after(source.mount(files), ...files.map((file) => file.path)),
    exportFiles: () => source.exportFiles(),
    onServerReady: (listener) => source.onServerReady(listener),
    async flush() {
      await settle();
      await keeper.flush();
    },
    async dispose() {
      if (over) return;
      await end();
      await keeper.dispose();
    },
    ...(journal && { journal }),
  });
  return {
    runtime: view((path) => void writers.delete(normalRuntimePath(path))),
    async leave() {
      await end();
      return keeper;
    },
  };
}

/** Makes `path` in `to` what it is in `from`, with all below it. */
async function takeOver(from: Runtime, to: Runtime, path: string): Promise<void> {
  if (path.split('/').includes('node_modules')) return;
  const [file] = path === '' ? [] : await from.fs.readMany([path]);
  if (file !== undefined) {
    await to.fs.mkdir(path.slice(0, Math.max(0, path.lastIndexOf('/'))), { recursive: true });
    return putFile(to, path, file.bytes);
  }
  if ((await from.fs.stat(path))?.kind === 'directory') return takeOverFolder(from, to, path);
  await to.fs.rm(path, { recursive: true, force: true });
}

async function takeOverFolder(from: Runtime, to: Runtime, folder: string): Promise<void> {
  if ((await to.fs.stat(folder))?.kind === 'file') await to.fs.rm(folder);
  if (folder !== '') await to.fs.mkdir(folder, { recursive: true });
  const below = (entry: DirectoryEntry) => (folder === '' ? entry.name : `${folder}/${entry.name}`);
  const entries = (await from.fs.readdir(folder)).filter((entry) => entry.name !== 'node_modules');
  for (const kept of await to.fs.readdir(folder)) {
    const same = entries.some((entry) => entry.name === kept.name && entry.kind === kept.kind);
    if (!same && kept.name !== 'node_modules') await to.fs.rm(below(kept), { recursive: true });
  }
  for (const { path, bytes } of await from.fs.readMany(entries.filter((entry) => entry.kind === 'file').map(below))) await putFile(to, path, bytes);
  for (const entry of entries) if (entry.kind === 'directory') await takeOverFolder(from, to, below(entry));
}

async function putFile(to: Runtime, path: string, bytes: Uint8Array): Promise<void> {
  const [kept] = await to.fs.readMany([path]);
  const same = kept !== undefined && kept.bytes.length === bytes.length && kept.bytes.every((byte, index) => byte === bytes[index]);
  if (!same) await to.fs.writeFile(path, bytes);
}
