import { describe, expect, it } from 'vitest';
import type { Capability } from '@/lib/contracts/outcome';
import type { ToolContext } from '@/lib/contracts/tool-context';
import { entitle } from '@/lib/registry/entitle';
import { codeOf } from '@/lib/shared/coded-error';

const all: readonly Capability[] = ['read-only', 'writes-files', 'executes-code', 'network', 'sandboxable', 'requires-approval'];

/** A host whose every port answers its own name. */
function hostOf(signal: { aborted: boolean } = { aborted: false }): ToolContext {
  const port = (name: string): unknown => new Proxy(() => name, { get: (_, key) => (key === 'then' ? undefined : port(`${name}.${String(key)}`)) });
  return new Proxy({} as ToolContext, { get: (_, key) => (key === 'signal' ? signal : port(String(key))) });
}

/** Every port that can be called, as a tool would, and who may. undefined = everybody. */
const ports: Readonly<Record<string, { readonly needs?: readonly Capability[]; readonly call: (context: ToolContext) => unknown }>> = {
  'files.readText': { call: ({ files }) => files.readText('a') },
  'files.readBytes': { call: ({ files }) => files.readBytes('a') },
  'files.stat': { call: ({ files }) => files.stat('a') },
  'files.writeText': { needs: ['writes-files'], call: ({ files }) => files.writeText('a', '') },
  'files.writeBytes': { needs: ['writes-files'], call: ({ files }) => files.writeBytes('a', new Uint8Array()) },
  'files.makeDirectory': { needs: ['writes-files'], call: ({ files }) => files.makeDirectory('a') },
  'files.move': { needs: ['writes-files'], call: ({ files }) => files.move('a', 'b') },
  'files.remove': { needs: ['writes-files'], call: ({ files }) => files.remove('a') },
  runCommand: { needs: ['executes-code'], call: (context) => context.runCommand({ command: 'ls' }) },
  search: { call: (context) => context.search({ pattern: 'a', flags: 'g', texts: [], maxMatches: 1 }) },
  fetchWeb: { needs: ['network'], call: (context) => context.fetchWeb({ url: 'https://a.example/', maxBytes: 1 }) },
  readSpill: { call: (context) => context.readSpill('r' as never) },
  showPlan: { call: (context) => context.showPlan([], undefined) },
  'jobs.start': { needs: ['executes-code'], call: ({ jobs }) => jobs.start({ command: 'ls' }) },
  'jobs.look': { call: ({ jobs }) => jobs.look('t', { waitMs: 0, until: 'end' }) },
  'jobs.input': { needs: ['executes-code'], call: ({ jobs }) => jobs.input('t', '', false) },
  'jobs.cancel': { needs: ['requires-approval', 'executes-code'], call: ({ jobs }) => jobs.cancel('t') },
  'jobs.running': { call: ({ jobs }) => jobs.running() },
  'git.status': { call: ({ git }) => git.status() },
  'git.diff': { call: ({ git }) => git.diff({} as never) },
  'git.log': { call: ({ git }) => git.log({} as never) },
  'git.add': { needs: ['writes-files', 'requires-approval'], call: ({ git }) => git.add([]) },
  'git.commit': { needs: ['writes-files', 'requires-approval'], call: ({ git }) => git.commit('m') },
  callTool: { call: (context) => context.callTool('t', {}) },
  diagnose: { call: (context) => context.diagnose(undefined) },
  'undo.list': { call: ({ undo }) => undo.list() },
  'undo.revert': { needs: ['writes-files'], call: ({ undo }) => undo.revert({ turnsBack: 0 }) },
  'undo.preview': { call: ({ undo }) => undo.preview({ turnsBack: 0 }) },
  explain: { call: (context) => context.explain('t', {}) },
  notify: { call: (context) => context.notify('t', 'b') },
  'state.get': { call: ({ state }) => state.get('k') },
  'state.set': { call: ({ state }) => state.set('k', 1) },
};

/** 'reached', or the code with which the port threw. */
async function outcome(call: (context: ToolContext) => unknown, context: ToolContext): Promise<string> {
  try {
    await call(context);
    return 'reached';
  } catch (error) {
    return codeOf(error) ?? 'failed';
  }
}

describe('the door of a tool to the host', () => {
  it('has no port that this test does not know', () => {
    const { context } = entitle('t', all, hostOf());
    const known = new Set([...Object.keys(ports).map((name) => name.split('.')[0]), 'askPerson', 'now', 'newId', 'signal']);
    expect(Object.keys(context).filter((name) => !known.has(name))).toEqual([]);
  });

  it('opens each port only to what the tool declares, for every set of capabilities', async () => {
    for (let set = 0; set < 1 << all.length; set++) {
      const declared = all.filter((_, bit) => set & (1 << bit));
      for (const [name, { needs, call }] of Object.entries(ports)) {
        const { context } = entitle('t', declared, hostOf());
        const may = needs === undefined || needs.some((capability) => declared.includes(capability));
        expect([name, declared, await outcome(call, context)]).toEqual([name, declared, may ? 'reached' : 'permission-denied']);
      }
    }
  });

  it('lets only a tool ask the person that declares that it waits for them', async () => {
    const asks = (interactive: boolean) => outcome((context) => context.askPerson([]), entitle('t', all, hostOf(), interactive).context);
    expect([await asks(false), await asks(true)]).toEqual(['permission-denied', 'reached']);
  });

  it('is shut at every port once the slot is filled, or the call was given up', async () => {
    for (const { call } of [...Object.values(ports), { call: (context: ToolContext) => context.askPerson([]) }]) {
      const filled = entitle('t', all, hostOf(), true);
      filled.close();
      const givenUp = entitle('t', all, hostOf({ aborted: true }), true);
      expect([await outcome(call, filled.context), await outcome(call, givenUp.context)]).toEqual(['cancelled', 'cancelled']);
    }
  });
});
