import { ServersWords } from '@/lib/contracts/network';
import type { Capability } from '@/lib/contracts/outcome';
import type { ToolContext, WriteFiles } from '@/lib/contracts/tool-context';
import { CodedError } from '@/lib/shared/coded-error';

const writing: ReadonlySet<PropertyKey> = new Set<keyof WriteFiles>(['writeText', 'writeBytes', 'makeDirectory', 'move', 'remove']);

interface Entitled {
  readonly tool: string;
  readonly capabilities: readonly Capability[];
  readonly host: ToolContext;
  readonly interactive: boolean;
  closed: boolean;
  /** Errors that the network port threw itself. */
  fromHost?: WeakSet<Error>;
}

/**
 * Narrows the host's context to what a tool's capabilities entitle it to, so that the declaration is a fact.
 *
 * In     `interactive`: the tool declares that it waits for the person itself.
 * Out    the narrowed context, and `close`, after which every port throws `cancelled`. `isFromHost`: the network port threw this very error, so its words are ours.
 */
export function entitle(
  tool: string,
  capabilities: readonly Capability[],
  host: ToolContext,
  interactive = false,
): { readonly context: ToolContext; close(): void; isFromHost(error: unknown): boolean } {
  const entitled: Entitled = { tool, capabilities, host, interactive, closed: false };
  return {
    context: new NarrowedContext(entitled),
    close() {
      entitled.closed = true;
    },
    isFromHost: (error) => error instanceof CodedError && entitled.fromHost?.has(error) === true,
  };
}

/** Its ports are made when a tool first asks for one: most calls ask for few, and many calls run in a step. What is behind it no tool can reach. */
class NarrowedContext implements ToolContext {
  readonly #entitled: Entitled;
  #made: ToolContext | undefined;
  constructor(entitled: Entitled) {
    this.#entitled = entitled;
  }
  get #ports(): ToolContext {
    this.#made ??= narrow(this.#entitled);
    return this.#made;
  }
  get files(): ToolContext['files'] {
    return this.#ports.files;
  }
  get runCommand(): ToolContext['runCommand'] {
    return this.#ports.runCommand;
  }
  get search(): ToolContext['search'] {
    return this.#ports.search;
  }
  get fetchWeb(): ToolContext['fetchWeb'] {
    return this.#ports.fetchWeb;
  }
  get readSpill(): ToolContext['readSpill'] {
    return this.#ports.readSpill;
  }
  get showPlan(): ToolContext['showPlan'] {
    return this.#ports.showPlan;
  }
  get jobs(): ToolContext['jobs'] {
    return this.#ports.jobs;
  }
  get git(): ToolContext['git'] {
    return this.#ports.git;
  }
  get callTool(): ToolContext['callTool'] {
    return this.#ports.callTool;
  }
  get undo(): ToolContext['undo'] {
    return this.#ports.undo;
  }
  get diagnose(): ToolContext['diagnose'] {
    return this.#ports.diagnose;
  }
  get askPerson(): ToolContext['askPerson'] {
    return this.#ports.askPerson;
  }
  get explain(): ToolContext['explain'] {
    return this.#ports.explain;
  }
  get notify(): ToolContext['notify'] {
    return this.#ports.notify;
  }
  get state(): ToolContext['state'] {
    return this.#ports.state;
  }
  get now(): ToolContext['now'] {
    return this.#ports.now;
  }
  get newId(): ToolContext['newId'] {
    return this.#ports.newId;
  }
  get signal(): ToolContext['signal'] {
    return this.#ports.signal;
  }
}

function narrow(entitled: Entitled): ToolContext {
  const { tool, capabilities, host, interactive } = entitled;
  const check = (needs: Capability | readonly Capability[] | undefined, port: string) => {
    if (entitled.closed || host.signal.aborted) throw new CodedError('cancelled', `${tool} is over: its slot is filled, so ${port} does nothing any more.`);
    const enough = needs === undefined ? [] : typeof needs === 'string' ? [needs] : needs;
    if (enough.length > 0 && !enough.some((capability) => capabilities.includes(capability)))
      throw new CodedError('permission-denied', `${tool} does not declare ${enough.join(' or ')}, so it may not use ${port}.`);
  };
  // Over nothing: what stands behind it must not be found by asking for a property's description either.
  const files = new Proxy({} as WriteFiles, {
    get(_, key) {
      const method = Reflect.get(host.files, key);
      if (typeof method !== 'function') return method;
      return async (...input: unknown[]) => {
        check(writing.has(key) ? 'writes-files' : undefined, `files.${String(key)}`);
        return Reflect.apply(method, host.files, input);
      };
    },
  });
  return {
    files,
    async runCommand(request) {
      check('executes-code', 'the shell');
      return host.runCommand(request);
    },
    async search(request) {
      check(undefined, 'search');
      return host.search(request);
    },
    async readSpill(ref) {
      check(undefined, 'stored results');
      return host.readSpill(ref);
    },
    async fetchWeb(request) {
      check('network', 'the network');
      try {
        return await host.fetchWeb(request);
      } catch (error) {
        if (error instanceof CodedError && !(error instanceof ServersWords)) {
          entitled.fromHost ??= new WeakSet();
          entitled.fromHost.add(error);
        }
        throw error;
      }
    },
    showPlan(steps, explanation) {
      check(undefined, 'the plan');
      host.showPlan(steps, explanation);
    },
    jobs: {
      async start(request) {
        check('executes-code', 'the start of tasks');
        return host.jobs.start(request);
      },
      async look(taskId, wait) {
        check(undefined, 'tasks');
        return host.jobs.look(taskId, wait);
      },
      async input(taskId, text, closes) {
        check('executes-code', 'the input of tasks');
        return host.jobs.input(taskId, text, closes);
      },
      async cancel(taskId) {
        check(['requires-approval', 'executes-code'], 'the end of tasks');
        return host.jobs.cancel(taskId);
      },
      running() {
        check(undefined, 'tasks');
        return host.jobs.running();
      },
    },
    git: {
      async status() {
        check(undefined, 'the history');
        return host.git.status();
      },
      async diff(request) {
        check(undefined, 'the history');
        return host.git.diff(request);
      },
      async log(request) {
        check(undefined, 'the history');
        return host.git.log(request);
      },
      async add(paths) {
        check(['writes-files', 'requires-approval'], 'the index of the history');
        return host.git.add(paths);
      },
      async commit(message) {
        check(['writes-files', 'requires-approval'], 'commits');
        return host.git.commit(message);
      },
    },
    async callTool(name, input) {
      check(undefined, 'other tools');
      return host.callTool(name, input);
    },
    async diagnose(paths) {
      check(undefined, 'diagnostics');
      return host.diagnose(paths);
    },
    undo: {
      list() {
        check(undefined, 'the list of changes');
        return host.undo.list();
      },
      async revert(target) {
        check('writes-files', 'undo');
        return host.undo.revert(target);
      },
      async preview(target) {
        check(undefined, 'the list of changes');
        return host.undo.preview(target);
      },
    },
    async askPerson(questions) {
      check(undefined, 'questions');
      if (!interactive) throw new CodedError('permission-denied', `${tool} does not declare that it waits for the person, so it may not ask.`);
      return host.askPerson(questions);
    },
    explain(asked, input) {
      check(undefined, 'explanations');
      return host.explain(asked, input);
    },
    notify(title, body) {
      check(undefined, 'notifications');
      host.notify(title, body);
    },
    state: {
      get(key) {
        check(undefined, 'session notes');
        return host.state.get(key);
      },
      set(key, value) {
        check(undefined, 'session notes');
        host.state.set(key, value);
      },
    },
    now: host.now,
    newId: host.newId,
    get signal() {
      return host.signal;
    },
  };
}
