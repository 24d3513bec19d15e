import { Buffer } from 'buffer';
import { ProgramLink } from '@/lib/runtime/embedded/program-link';
import { resolveAbsolute } from '@/lib/runtime/embedded/program-path';
import type { ToProgram, WorkerScope } from '@/lib/runtime/embedded/protocol';
import type { SyncFiles } from '@/lib/runtime/embedded/sync-files';
import { decodeUtf8, encodeUtf8 } from '@/lib/shared/bytes';
import { type NodeCommand, readNodeCommand } from './command-line';
import { createConsole } from './core/console';
import { systemError } from './core/fs-error';
import { inspect } from './core/inspect';
import { createInputStream, createOutputStream } from './core/streams';
import { createTimers } from './core/timers';
import { CoreModules } from './core-modules';
import { reportUncaught } from './error-report';
import { EventLoop } from './event-loop';
import { installGlobals, stripGlobals } from './globals';
import { ModuleLoader } from './module-loader';
import { NODE_VERSION, NodeProcess } from './node-process';
import { OutputPacer } from './output-pacer';
import { createSyncHost } from './program-files';
import { findTests } from './test/find-tests';
import { createTestModule, type TestModule } from './test/test-module';
import { TestNode } from './test/test-node';
import { TestReport } from './test/test-report';
import { TestRunner } from './test/test-runner';
import { compileModule } from './transpile';

type NodeStart = Extract<ToProgram, { type: 'node' }>;

/** Makes this worker a node program: it runs the one that it is sent, and ends. */
export function startNodeWorker(scope: WorkerScope): void {
  const link = new ProgramLink(scope);
  let started: { applyChanges(changes: Extract<ToProgram, { type: 'changes' }>['changes']): void } | undefined;
  scope.onMessage((message) => {
    if (link.receive(message)) return;
    if (message.type === 'changes') started?.applyChanges(message.changes);
    else if (message.type === 'node' && !started) started = runProgram(scope, link, message);
  });
  scope.post({ type: 'ready' });
}

function runProgram(
  scope: WorkerScope,
  link: ProgramLink,
  start: NodeStart,
): { applyChanges(changes: Extract<ToProgram, { type: 'changes' }>['changes']): void } {
  const later = setTimeout.bind(globalThis) as (act: () => void) => unknown;
  const subtle = globalThis.crypto;
  Error.stackTraceLimit = 40;
  stripGlobals();
  const command = readNodeCommand(start.args);
  const loop = new EventLoop();
  const host = createSyncHost(start.files, scope);
  const pacer = new OutputPacer((fd, data) => link.output(fd, data), later);
  const ask =
    host.ask &&
    ((call: Parameters<NonNullable<typeof host.ask>>[0]) => {
      pacer.flush();
      return (host.ask as NonNullable<typeof host.ask>)(call);
    });
  const write = (fd: 1 | 2, data: string | Uint8Array): void => pacer.write(fd, data);

  const process = new NodeProcess({
    ...argumentsOf(command, start.cwd),
    env: start.env,
    cwd: start.cwd,
    pid: start.pid,
    files: host.files,
    loop,
    stdin: createInputStream(link.input, () => scope.post({ type: 'want-input' }), loop, start.terminal),
    stdout: createOutputStream(1, write, loop, start.terminal),
    stderr: createOutputStream(2, write, loop, start.terminal),
    exit(code): never {
      pacer.flush();
      scope.post({ type: 'exit', code });
      // The engine ends this worker when it reads that; until then nothing of the program may go on.
      if (start.files.kind === 'shared') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
      for (;;);
    },
  });

  const report = new TestReport((text) => process.stdout.write(text));
  let tests: { readonly runner: TestRunner; readonly module: TestModule } | undefined;
  const testing = (): { readonly runner: TestRunner; readonly module: TestModule } => {
    if (!tests) {
      const filter = command.kind === 'test' ? { namePatterns: command.namePatterns.map(patternOf), only: command.only } : { namePatterns: [], only: false };
      const runner = new TestRunner(loop, report, filter);
      tests = { runner, module: createTestModule(runner) };
    }
    return tests;
  };

  const console = createConsole(
    (text) => process.stdout.write(text),
    (text) => process.stderr.write(text),
  );
  const newLoader = (): ModuleLoader =>
    new ModuleLoader({ files: host.files, core: (name) => core.get(name), isCore: (name) => core.has(name), evaluate: scope.evaluate });
  let loader: ModuleLoader;
  const core: CoreModules = new CoreModules({
    sync: { ...host, ask },
    loop,
    link,
    process: () => process,
    loader: () => loader,
    write: (fd, data) => write(fd, data),
    readInput: () => {
      if (!ask) throw systemError('would-block', 'read');
      return encodeUtf8(ask({ kind: 'input' }) as string);
    },
    test: () => testing().module,
    console,
  });
  loader = newLoader();

  const uncaught = (error: unknown): void => {
    if (tests?.runner.interrupt(error, false)) return;
    if (process.listenerCount('uncaughtException') > 0) {
      process.emit('uncaughtException', error, 'uncaughtException');
      return;
    }
    process.stderr.write(reportUncaught(error, host.files));
    process.exitCode = 1;
    process.finish();
  };
  loop.onError = uncaught;
  scope.onUncaught((error, kind) => {
    if (kind === 'rejection' && process.listenerCount('unhandledRejection') > 0) process.emit('unhandledRejection', error, Promise.resolve());
    else uncaught(error);
  });

  let running = true;
  let asked = false;
  loop.onIdle = () => {
    if (
      tests?.runner.interrupt(
        Object.assign(new Error('Promise resolution is still pending but the event loop has already resolved'), { code: 'ERR_TEST_FAILURE' }),
        true,
      )
    )
      return loop.check();
    if (tests?.runner.busy) return loop.check();
    if (running) {
      process.stderr.write('Warning: Detected unsettled top-level await\n');
      process.exitCode = 13;
      return process.finish();
    }
    if (!asked) {
      asked = true;
      loop.run(() => process.emit('beforeExit', process.exitCode ?? 0));
      return loop.check();
    }
    process.finish();
  };
  process.once('exit', () => {
    if (!tests?.runner.used && command.kind !== 'test') return;
    report.summary();
    if (report.failed && process.exitCode === undefined) process.exitCode = 1;
  });

  installGlobals({
    ...createTimers(loop),
    process,
    Buffer,
    console,
    global: globalThis,
    queueMicrotask: (act: () => void) => void Promise.resolve().then(() => loop.run(act)),
    crypto: trackedCrypto(subtle, loop),
  });
  const program = runCommand(command, {
    loader: () => loader,
    newLoader: () => (loader = newLoader()),
    process,
    core,
    evaluate: scope.evaluate,
    start,
    files: host.files,
    testing,
  });
  program.then(
    async () => {
      if (tests) {
        await tests.runner.settled();
        await tests.runner.end();
      }
      running = false;
      loop.check();
    },
    (error: unknown) => {
      running = false;
      uncaught(error);
    },
  );
  loop.check();
  return { applyChanges: (changes) => host.applyChanges(changes) };
}

interface CommandHost {
  readonly loader: () => ModuleLoader;
  readonly newLoader: () => ModuleLoader;
  readonly process: NodeProcess;
  readonly core: CoreModules;
  readonly evaluate: WorkerScope['evaluate'];
  readonly start: NodeStart;
  readonly files: SyncFiles;
  readonly testing: () => { readonly runner: TestRunner };
}

async function runCommand(command: NodeCommand, host: CommandHost): Promise<void> {
  const { process, start } = host;
  if ('preload' in command) for (const module of command.preload) await host.loader().import(module, `${start.cwd}/.`);
  switch (command.kind) {
    case 'version':
      process.stdout.write(`${NODE_VERSION}\n`);
      return;
    case 'help':
      process.stdout.write(
        'Usage: node [options] [script.js] [arguments]\n       node -e CODE | -p CODE | --test [files] | --check FILE | --version\n\nPrograms see the files below /workspace and /tmp. TypeScript runs as it is.\n',
      );
      return;
    case 'bad-option':
      process.stderr.write(
        command.option.startsWith('-i') || command.option === '--interactive'
          ? 'node: there is no interactive prompt in this runtime; use node -e CODE or a file\n'
          : `node: bad option: ${command.option}\n`,
      );
      process.exitCode = 9;
      return;
    case 'check':
      compileModule(decodeUtf8(host.files.readFile(resolveAbsolute(start.cwd, command.file))), resolveAbsolute(start.cwd, command.file), 'unknown');
      return;
    case 'file':
      await host.loader().runMain(resolveAbsolute(start.cwd, command.file));
      return;
    case 'stdin': {
      if (start.terminal) {
        process.stderr.write('node: there is no interactive prompt in this runtime; use node -e CODE or a file\n');
        process.exitCode = 9;
        return;
      }
      let source = '';
      for await (const chunk of process.stdin) source += String(chunk);
      await host.loader().runText(source, '[stdin]', start.cwd);
      return;
    }
    case 'text':
      return runText(command, host);
    case 'test': {
      const { runner } = host.testing();
      for (const file of findTests(host.files, start.cwd, command.words)) {
        const shown = file.startsWith(`${start.cwd}/`) ? file.slice(start.cwd.length + 1) : file;
        try {
          process.argv.splice(1, process.argv.length, file);
          await host.newLoader().runMain(file);
        } catch (error) {
          await runner.add(
            new TestNode({ name: shown, kind: 'test', options: {}, body: () => Promise.reject(error), parent: runner.root, location: `${shown}:1` }),
          );
        }
        await runner.settled();
      }
      return;
    }
  }
}

async function runText(command: Extract<NodeCommand, { kind: 'text' }>, { loader, evaluate, core, process, start }: CommandHost): Promise<void> {
  const compiled = compileModule(command.source, '[eval]', 'unknown');
  if (compiled.esm) return loader().runText(command.source, '[eval]', start.cwd);
  const require = loader().createRequire(`${start.cwd}/[eval]`);
  const shortcuts = Object.fromEntries(
    core
      .names()
      .filter((name) => /^[a-z_]+$/.test(name) && name !== 'console' && name !== 'process' && name !== 'test')
      .map((name) => [name, { get: () => core.get(name), configurable: true }]),
  );
  Object.defineProperties(globalThis, shortcuts);
  installGlobals({
    require,
    module: { exports: {} },
    exports: {},
    __filename: '[eval]',
    __dirname: '.',
    importDynamic_: (specifier: string) => loader().import(specifier, `${start.cwd}/[eval]`),
  });
  const value = evaluate(command.source.replace(/(?<![\w$.#])import(?=\s*\()/g, 'importDynamic_'), '[eval]');
  if (command.print) process.stdout.write(`${typeof value === 'string' ? value : inspect(value)}\n`);
}

function argumentsOf(command: NodeCommand, cwd: string): { readonly argv: readonly string[]; readonly execArgv: readonly string[] } {
  switch (command.kind) {
    case 'file':
      return { argv: [resolveAbsolute(cwd, command.file), ...command.argv], execArgv: command.execArgv };
    case 'text':
      return { argv: command.argv, execArgv: command.execArgv };
    case 'stdin':
      return { argv: ['-', ...command.argv], execArgv: command.execArgv };
    default:
      return { argv: [], execArgv: [] };
  }
}

/** The promises of `crypto.subtle` come from outside the program's own loop, so they are counted. */
function trackedCrypto(crypto: Crypto, loop: EventLoop): Crypto {
  const subtle = new Proxy(crypto.subtle, {
    get(target, name) {
      const member = Reflect.get(target, name) as unknown;
      return typeof member === 'function' ? (...args: unknown[]) => loop.track(member.apply(target, args) as Promise<unknown>) : member;
    },
  });
  return new Proxy(crypto, {
    get(target, name) {
      if (name === 'subtle') return subtle;
      const member = Reflect.get(target, name) as unknown;
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}

function patternOf(text: string): RegExp {
  const literal = /^\/(.*)\/([a-z]*)$/.exec(text);
  return literal ? new RegExp(literal[1] as string, literal[2]) : new RegExp(text);
}
