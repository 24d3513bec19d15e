import type { Capability } from '@/lib/contracts/outcome';
import type { ToolContext, WriteFiles } from '@/lib/contracts/tool-context';
import { CodedError } from '@/lib/shared/coded-error';

const writing: ReadonlySet<PropertyKey> = new Set<keyof WriteFiles>(['writeText', 'writeBytes', 'makeDirectory', 'move', 'remove']);

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
  let closed = false;
  const fromHost = new WeakSet<Error>();
  const check = (needs: Capability | readonly Capability[] | undefined, port: string) => {
    if (closed || host.signal.aborted) throw new CodedError('cancelled', `${tool} is over: its slot is filled, so ${port} does nothing any more.`);
    const enough = needs === undefined ? [] : typeof needs === 'string' ? [needs] : needs;
    if (enough.length > 0 && !enough.some((capability) => capabilities.includes(capability)))
      throw new CodedError('permission-denied', `${tool} does not declare ${enough.join(' or ')}, so it may not use ${port}.`);
  };
  const files = new Proxy(host.files, {
    get(target, key) {
      const method = Reflect.get(target, key);
      if (typeof method !== 'function') return method;
      return async (...input: unknown[]) => {
        check(writing.has(key) ? 'writes-files' : undefined, `files.${String(key)}`);
        return Reflect.apply(method, target, input);
      };
    },
  });
  const context: ToolContext = {
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
        if (error instanceof CodedError) fromHost.add(error);
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
  return {
    context,
    close() {
      closed = true;
    },
    isFromHost: (error) => error instanceof CodedError && fromHost.has(error),
  };
}
