import { Bash, type CustomCommand } from 'just-bash/browser';
import type { ProgramLink } from '@/lib/runtime/embedded/program-link';
import { markTargets } from './redirect-targets';
import type { ShellFiles } from './shell-files';
import { streamOutput } from './stream-output';
import type { ScriptNode } from './syntax';

export interface ScriptRequest {
  readonly script: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** `$1`, `$2`, … */
  readonly positional: readonly string[];
}

export interface ScriptEnd {
  readonly code: number;
  readonly env: Readonly<Record<string, string>>;
}

/** Stops are the caller's business (a worker can be ended), so no count stops a long script. */
const PLENTY = 1e12;

/** Runs scripts one at a time; what a script prints reaches the link while it runs. */
export class ScriptRunner {
  readonly #link: ProgramLink;
  readonly #files: ShellFiles;
  readonly #commands: (runner: ScriptRunner) => CustomCommand[];
  readonly #writer: Bash;
  #written: ScriptNode | undefined;

  constructor(link: ProgramLink, files: ShellFiles, commands: (runner: ScriptRunner) => CustomCommand[]) {
    this.#link = link;
    this.#files = files;
    this.#commands = commands;
    this.#writer = new Bash({ fs: files, cwd: '/', defenseInDepth: false });
    this.#writer.registerTransformPlugin({ name: 'write', transform: ({ ast }) => ({ ast: this.#written ?? ast }) });
  }

  /** Never rejects: what goes wrong in the shell itself is an exit code and a message on the program's output. */
  async run(request: ScriptRequest): Promise<ScriptEnd> {
    const bash = new Bash({
      fs: this.#files,
      cwd: request.cwd,
      env: { ...request.env, PWD: request.cwd },
      customCommands: this.#commands(this),
      defenseInDepth: false,
      executionLimits: {
        maxCommandCount: PLENTY,
        maxLoopIterations: PLENTY,
        maxAwkIterations: PLENTY,
        maxSedIterations: PLENTY,
        maxJqIterations: PLENTY,
        maxWorkUnits: PLENTY,
        maxExecutionTimeMs: 2 ** 31 - 1,
        maxTraversalWork: PLENTY,
        maxGlobOperations: PLENTY,
      },
    });
    let first = true;
    bash.registerTransformPlugin({
      name: 'stream',
      transform: ({ ast }) => {
        const streamed = first ? streamOutput(ast, (script) => this.#textOf(script)) : ast;
        first = false;
        return { ast: markTargets(streamed) };
      },
    });
    const positional = request.positional.length === 0 ? '' : `set -- ${request.positional.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')}; `;
    try {
      const { OLDPWD } = request.env;
      const result = await bash.exec(positional + request.script, {
        rawScript: true,
        ...(OLDPWD !== undefined && { cwd: request.cwd, env: { OLDPWD, PWD: request.cwd } }),
      });
      this.#link.output(1, this.#files.clean(result.stdout));
      this.#link.output(2, this.#files.clean(result.stderr));
      return { code: result.exitCode, env: result.env };
    } catch (error) {
      this.#link.output(2, `sh: ${error instanceof Error ? error.message : String(error)}\n`);
      return { code: 1, env: request.env };
    }
  }

  #textOf(script: ScriptNode): string {
    this.#written = script;
    return this.#writer.transform('').script;
  }
}
