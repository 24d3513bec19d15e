import type { Capability } from '@/lib/contracts/outcome';
import type { ToolContext, WriteFiles } from '@/lib/contracts/tool-context';
import { CodedError } from '@/lib/shared/coded-error';

const writing: ReadonlySet<PropertyKey> = new Set<keyof WriteFiles>(['writeText', 'writeBytes', 'makeDirectory', 'move', 'remove']);

/**
 * Narrows the host's context to what a tool's capabilities entitle it to, so that the declaration is a fact.
 *
 * Out    the narrowed context, and `close`, after which every port throws `cancelled`.
 */
export function entitle(tool: string, capabilities: readonly Capability[], host: ToolContext): { readonly context: ToolContext; close(): void } {
  let closed = false;
  const check = (needs: Capability | undefined, port: string) => {
    if (closed || host.signal.aborted) throw new CodedError('cancelled', `${tool} is over: its slot is filled, so ${port} does nothing any more.`);
    if (needs !== undefined && !capabilities.includes(needs)) throw new CodedError('permission-denied', `${tool} does not declare ${needs}, so it may not use ${port}.`);
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
    showPlan(steps, explanation) {
      check(undefined, 'the plan');
      host.showPlan(steps, explanation);
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
  };
}
