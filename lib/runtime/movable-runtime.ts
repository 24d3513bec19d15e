import type { ChangeJournal, FileSystemChange, Runtime, RuntimeProcess } from '@/lib/contracts/runtime';
import { CodedError } from '@/lib/shared/coded-error';

/** A runtime that can be exchanged below its users: who holds it keeps holding it. */
export interface MovableRuntime extends Runtime {
  /**
   * Moves to another runtime. Calls made meanwhile wait and act there; watchers go along; terminals are closed.
   *
   * In     `open` gets the present runtime once nothing acts on it any more, and answers the next one, files and all.
   * Fails  CodedError `busy` while a program runs, or as `open` does; the present runtime then stays.
   */
  moveTo(open: (present: Runtime) => Promise<Runtime>): Promise<void>;
}

/** A subscription that is made again on the next runtime. */
interface Following {
  readonly follow: (runtime: Runtime) => () => void;
  stop: () => void;
}

/**
 * A movable runtime that stands on `first`.
 *
 * In     `onDispose`: what goes with it.
 */
export function createMovableRuntime(first: Runtime, onDispose: () => void = () => undefined): MovableRuntime {
  let current = first;
  let moving: Promise<void> | undefined;
  const inFlight = new Set<Promise<unknown>>();
  const programs = new Set<RuntimeProcess>();
  const terminals = new Set<RuntimeProcess>();
  const followings = new Set<Following>();

  const through = async <Value>(call: (runtime: Runtime) => Promise<Value>): Promise<Value> => {
    while (moving !== undefined) await moving;
    const answer = call(current);
    const settled: Promise<unknown> = answer.then(
      () => inFlight.delete(settled),
      () => inFlight.delete(settled),
    );
    inFlight.add(settled);
    return answer;
  };
  const following = (follow: Following['follow']): (() => void) => {
    const entry: Following = { follow, stop: follow(current) };
    followings.add(entry);
    return () => {
      followings.delete(entry);
      entry.stop();
    };
  };
  const move = async (open: (present: Runtime) => Promise<Runtime>): Promise<void> => {
    for (const terminal of terminals) terminal.kill();
    while (inFlight.size > 0) await Promise.all(inFlight);
    if (programs.size > 0) throw new CodedError('busy', 'A program is running in this workspace. Stop it, then choose the runtime again. Nothing was changed.');
    const next = await open(current);
    for (const entry of followings) entry.stop();
    current = next;
    for (const entry of followings) entry.stop = entry.follow(next);
  };

  const view = (of: (runtime: Runtime) => Runtime): Omit<Runtime, 'dispose'> => ({
    get info() {
      return current.info;
    },
    fs: {
      readFile: (path) => through((runtime) => of(runtime).fs.readFile(path)),
      readMany: (paths) => through((runtime) => of(runtime).fs.readMany(paths)),
      writeFile: (path, data) => through((runtime) => of(runtime).fs.writeFile(path, data)),
      readdir: (path) => through((runtime) => of(runtime).fs.readdir(path)),
      stat: (path) => through((runtime) => of(runtime).fs.stat(path)),
      mkdir: (path, options) => through((runtime) => of(runtime).fs.mkdir(path, options)),
      rm: (path, options) => through((runtime) => of(runtime).fs.rm(path, options)),
      rename: (from, to) => through((runtime) => of(runtime).fs.rename(from, to)),
      watch: (path, listener: (changes: readonly FileSystemChange[]) => void) => following((runtime) => runtime.fs.watch(path, listener)),
    },
    async spawn(command, args, options) {
      return through(async (runtime) => {
        const program = await of(runtime).spawn(command, args, options);
        const kept = options?.terminal === undefined ? programs : terminals;
        kept.add(program);
        void program.exit.then(() => kept.delete(program));
        return program;
      });
    },
    mount: (files) => through((runtime) => of(runtime).mount(files)),
    exportFiles: () => through((runtime) => runtime.exportFiles()),
    onServerReady: (listener) => following((runtime) => runtime.onServerReady(listener)),
    flush: () => through((runtime) => runtime.flush()),
    get journal() {
      return current.journal && journalOf(current.journal);
    },
  });
  const journalOf = (present: ChangeJournal): ChangeJournal => ({
    listen: (listener) => following((runtime) => runtime.journal?.listen(listener) ?? (() => undefined)),
    settle: () => through(async (runtime) => runtime.journal?.settle()),
    as(actor) {
      const seen = view((runtime) => runtime.journal?.as(actor) ?? runtime);
      return Object.defineProperties({ dispose: movable.dispose }, Object.getOwnPropertyDescriptors(seen)) as Runtime;
    },
    leavesOut: present.leavesOut,
  });
  const own: Pick<MovableRuntime, 'dispose' | 'moveTo'> = {
    async dispose() {
      while (moving !== undefined) await moving;
      onDispose();
      await current.dispose();
    },
    async moveTo(open) {
      while (moving !== undefined) await moving;
      const mine = move(open);
      moving = mine.then(
        () => undefined,
        () => undefined,
      );
      try {
        await mine;
      } finally {
        moving = undefined;
      }
    },
  };
  // Spreading would read the getters once; who holds this must see where it stands now.
  const movable = Object.defineProperties(own, Object.getOwnPropertyDescriptors(view((runtime) => runtime))) as MovableRuntime;
  return movable;
}
