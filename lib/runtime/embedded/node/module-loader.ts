import type { SyncFiles } from '@/lib/runtime/embedded/sync-files';
import { decodeUtf8 } from '@/lib/shared/bytes';
import { withSystemErrors } from './core/fs-error';
import { pathToFileURL } from './core/url';
import { ModuleResolver } from './resolve-module';
import { type Compiled, compileModule, findSyntaxError, ModuleSyntaxError } from './transpile';

export interface LoaderHost {
  readonly files: SyncFiles;
  /** A core module by its name without `node:`; undefined when there is none. */
  readonly core: (name: string) => unknown;
  readonly isCore: (name: string) => boolean;
  readonly evaluate: (code: string, name: string) => unknown;
}

export interface ModuleRecord {
  exports: unknown;
  readonly id: string;
  readonly filename: string;
  readonly path: string;
  loaded: boolean;
  readonly children: ModuleRecord[];
  readonly require: unknown;
}

interface Entry {
  readonly module: ModuleRecord;
  readonly compiled: Compiled | undefined;
  /** Settles when an ES module has run. */
  running: Promise<void> | undefined;
  started: boolean;
}

export type Require = ((specifier: string) => unknown) & {
  resolve(specifier: string): string;
  cache: Record<string, ModuleRecord>;
  main: ModuleRecord | undefined;
};

/** Loads modules of the workspace: CommonJS, ES modules with top-level await, TypeScript, JSON. */
export class ModuleLoader {
  readonly #host: LoaderHost;
  readonly #resolver: ModuleResolver;
  readonly #entries = new Map<string, Entry>();
  readonly #cache: Record<string, ModuleRecord> = Object.create(null) as Record<string, ModuleRecord>;
  #main: ModuleRecord | undefined;

  constructor(host: LoaderHost) {
    this.#host = host;
    this.#resolver = new ModuleResolver(host.files);
  }

  /** Runs a program's first file; settles when its top level has run. */
  async runMain(path: string): Promise<void> {
    const file = this.#resolver.resolve({ specifier: path, from: `${path.slice(0, path.lastIndexOf('/'))}/.`, by: 'require' });
    await this.#import(file, [], true);
  }

  /** Runs program text as if it were a file called `name` in the folder `cwd`. */
  async runText(source: string, name: string, cwd: string): Promise<void> {
    const file = `${cwd}/${name}`;
    const entry = this.#prepare(file, this.#compile(source, name, 'unknown'));
    await this.#run(entry, file, []);
  }

  async import(specifier: string, from: string): Promise<unknown> {
    const core = this.#coreOf(specifier);
    if (core) return namespaceOf(core.exports, false);
    const file = this.#resolver.resolve({ specifier, from, by: 'import' });
    const entry = await this.#import(file, []);
    return namespaceOf(entry.module.exports, entry.compiled?.esm ?? false);
  }

  createRequire(from: string): Require {
    const resolve = (specifier: string): string => (this.#coreOf(specifier) ? specifier : this.#resolver.resolve({ specifier, from, by: 'require' }));
    const require = (specifier: unknown): unknown => {
      if (typeof specifier !== 'string')
        throw Object.assign(new TypeError(`The "id" argument must be of type string. Received ${typeof specifier}`), { code: 'ERR_INVALID_ARG_TYPE' });
      const core = this.#coreOf(specifier);
      return core ? core.exports : this.#require(resolve(specifier));
    };
    const whole = Object.assign(require, { resolve, cache: this.#cache });
    return Object.defineProperty(whole, 'main', { get: () => this.#main, enumerable: true }) as unknown as Require;
  }

  #coreOf(specifier: string): { readonly exports: unknown } | undefined {
    const prefixed = specifier.startsWith('node:');
    const name = prefixed ? specifier.slice(5) : specifier;
    if (!prefixed && !this.#host.isCore(name)) return undefined;
    if (!prefixed && name === 'test') return undefined;
    const exports = this.#host.core(name);
    if (exports === undefined) throw Object.assign(new Error(`No such built-in module in this runtime: ${specifier}`), { code: 'ERR_UNKNOWN_BUILTIN_MODULE' });
    return { exports };
  }

  #require(file: string): unknown {
    const cached = this.#cache[file];
    const entry = (cached && this.#entries.get(file)) ?? this.#load(file);
    if (!entry.started) {
      entry.started = true;
      const outcome = this.#execute(entry, file);
      if (outcome) entry.running = outcome;
      entry.running?.catch(() => undefined);
    }
    return entry.module.exports;
  }

  async #import(file: string, stack: readonly string[], main = false): Promise<Entry> {
    const known = this.#cache[file] && this.#entries.get(file);
    if (known?.started) {
      if (!stack.includes(file)) await known.running;
      return known;
    }
    const entry = known ?? this.#load(file);
    if (main) this.#main = entry.module;
    await this.#run(entry, file, stack);
    return entry;
  }

  /** What a module imports runs before it; then it runs. */
  #run(entry: Entry, file: string, stack: readonly string[]): Promise<void> {
    entry.started = true;
    const run = async (): Promise<void> => {
      for (const specifier of entry.compiled?.imports ?? []) {
        if (this.#coreOf(specifier)) continue;
        const dependency = this.#resolver.resolve({ specifier, from: file, by: 'import' });
        if (this.#kindOf(dependency) !== 'commonjs') await this.#import(dependency, [...stack, file]);
      }
      await this.#execute(entry, file);
    };
    entry.running = run();
    return entry.running;
  }

  #execute(entry: Entry, file: string): Promise<void> | undefined {
    const { module, compiled } = entry;
    if (!compiled) return undefined;
    let finished = false;
    try {
      const call = this.#callable(compiled, file);
      const dynamic = (specifier: unknown): Promise<unknown> => this.import(String(specifier), file);
      const require = compiled.esm ? this.#importer(file) : (module.require as Require);
      const outcome = compiled.esm
        ? call(module.exports, require, this.#metaOf(file), dynamic)
        : call.call(module.exports, module.exports, require, module, file, module.path, dynamic);
      finished = true;
      module.loaded = true;
      return compiled.esm && outcome instanceof Promise ? outcome.then(() => undefined) : undefined;
    } finally {
      if (!finished) {
        delete this.#cache[file];
        this.#entries.delete(file);
      }
    }
  }

  /** `require` as the compiled form of `import` uses it: whole file names, and what is imported has run already. */
  #importer(file: string): (specifier: string) => unknown {
    return (specifier) => {
      const core = this.#coreOf(specifier);
      return core ? core.exports : this.#require(this.#resolver.resolve({ specifier, from: file, by: 'import' }));
    };
  }

  #callable(compiled: Compiled, file: string): (this: unknown, ...args: unknown[]) => unknown {
    try {
      return this.#host.evaluate(compiled.code, file) as (this: unknown, ...args: unknown[]) => unknown;
    } catch (error) {
      if (!(error instanceof SyntaxError) && (error as Error | undefined)?.name !== 'SyntaxError') throw error;
      const source = file.startsWith('/') && this.#host.files.stat(file)?.kind === 'file' ? decodeUtf8(this.#host.files.readFile(file)) : undefined;
      const found = source === undefined ? undefined : findSyntaxError(source, file);
      throw found ? new ModuleSyntaxError((error as Error).message, file, found.line, found.column) : error;
    }
  }

  #load(file: string): Entry {
    const bytes = withSystemErrors('open', file, () => this.#host.files.readFile(file));
    const source = decodeUtf8(bytes);
    if (file.endsWith('.json')) {
      const entry = this.#prepare(file, undefined);
      entry.started = true;
      try {
        entry.module.exports = JSON.parse(source);
      } catch (error) {
        delete this.#cache[file];
        throw Object.assign(error as Error, { message: `${file}: ${(error as Error).message}` });
      }
      entry.module.loaded = true;
      return entry;
    }
    return this.#prepare(file, this.#compile(source, file, this.#kindOf(file)));
  }

  #prepare(file: string, compiled: Compiled | undefined): Entry {
    const folder = file.slice(0, file.lastIndexOf('/')) || '/';
    const module: ModuleRecord = { exports: {}, id: file, filename: file, path: folder, loaded: false, children: [], require: this.createRequire(file) };
    if (compiled?.esm) Object.defineProperty(module.exports, Symbol.toStringTag, { value: 'Module', configurable: true });
    const entry: Entry = { module, compiled, running: undefined, started: false };
    this.#entries.set(file, entry);
    this.#cache[file] = module;
    return entry;
  }

  #compile(source: string, file: string, kind: 'esm' | 'commonjs' | 'unknown'): Compiled {
    return compileModule(source, file, kind);
  }

  #kindOf(file: string): 'esm' | 'commonjs' | 'unknown' {
    if (/\.m[jt]s$/.test(file)) return 'esm';
    if (/\.c[jt]s$/.test(file) || file.endsWith('.json')) return 'commonjs';
    const type = this.#resolver.packageType(file);
    return type === 'module' ? 'esm' : type === 'commonjs' ? 'commonjs' : 'unknown';
  }

  #metaOf(file: string): Record<string, unknown> {
    const url = pathToFileURL(file).href;
    return {
      url,
      filename: file,
      dirname: file.slice(0, file.lastIndexOf('/')) || '/',
      resolve: (specifier: string) =>
        this.#coreOf(specifier) ? specifier : pathToFileURL(this.#resolver.resolve({ specifier, from: file, by: 'import' })).href,
    };
  }
}

function namespaceOf(exports: unknown, esm: boolean): unknown {
  if (esm) return exports;
  const members = (typeof exports === 'object' || typeof exports === 'function') && exports !== null ? Object.fromEntries(Object.entries(exports)) : {};
  const isInterop = '__esModule' in members;
  return { ...members, default: isInterop ? ((members as { default?: unknown }).default ?? exports) : exports };
}
