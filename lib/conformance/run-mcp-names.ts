import type { JsonSchema } from '@/lib/contracts/json-schema';
import type { Capability, ToolResult } from '@/lib/contracts/outcome';
import type { Connection } from '@/lib/contracts/provider';
import type { ToolContext } from '@/lib/contracts/tool-context';
import type { ToolSpec } from '@/lib/contracts/tool-spec';
import { z } from '@/lib/contracts/zod';
import { providers } from '@/lib/providers/registry.gen';
import { mcpTool } from '@/lib/registry/adapt-mcp';
import { mcpWireNames, type ServerTool } from '@/lib/registry/mcp-names';
import { createToolDispatcher } from '@/lib/registry/tool-dispatcher';
import { isJsonObject, type Json, type JsonObject } from '@/lib/shared/json';
import { isLegalId } from '@/lib/shared/legal-id';
import { named, objects, type Runner, refuseUnknown, strings, text } from './runner';

const ok: ToolResult = { ok: true, content: 'ran' };
// No body that runs here asks its context for anything; only its signal is looked at.
const noHost = { files: {}, signal: { aborted: false } } as unknown as ToolContext;

/** Kind `mcp-names`: names on the wire, verdicts, the fail-closed checkpoint, the bytes of the catalogue. */
export const runMcpNames: Runner = ({ input, expected }) => {
  const operation = operations.get(text(input.op));
  if (operation === undefined) throw new Error(`no runner knows the op ${String(input.op)}`);
  if (!isJsonObject(expected)) throw new Error('expected is no object');
  return operation(input, expected);
};

const operations = new Map<string, (input: JsonObject, expected: JsonObject) => Json | Promise<Json>>([
  ['wire', wire],
  ['call', call],
  ['verdict', verdict],
  ['register', register],
  ['catalogue', catalogue],
]);

function readServers(input: JsonObject): readonly ServerTool[] {
  return objects(input.servers).flatMap((server) => {
    refuseUnknown('server', server, ['name', 'tools']);
    return strings(server.tools).map((tool) => ({ server: text(server.name), tool }));
  });
}

/** As cases name a tool; a slash may stand in either part, so what is one and the same is told by both parts. */
const keyOf = ({ server, tool }: ServerTool): string => `${server}/${tool}`;
const idOf = ({ server, tool }: ServerTool): string => JSON.stringify([server, tool]);

/** Through the registry as well: the name that counts is the one that is sent. */
function offer(tools: readonly ServerTool[], send: (origin: ServerTool) => void) {
  const names = mcpWireNames(tools);
  const specs = [...names].map(([name, origin]) =>
    mcpTool(name, origin, { description: 'd', inputSchema: { type: 'object' } }, async (to) => {
      send(to);
      return ok;
    }),
  );
  return { names, dispatcher: createToolDispatcher(specs) };
}

async function wire(input: JsonObject, expected: JsonObject): Promise<Json> {
  refuseUnknown('input', input, ['op', 'servers']);
  refuseUnknown('expected', expected, ['exact', 'changed', 'minUnique']);
  const tools = readServers(input);
  const sent: ServerTool[] = [];
  const { names, dispatcher } = offer(tools, (origin) => sent.push(origin));
  const nameOf = new Map([...names].map(([name, origin]) => [keyOf(origin), name]));
  const own = new Map([...names].map(([name, origin]) => [idOf(origin), name]));
  const problems: string[] = [];

  for (const again of [tools, [...tools].reverse()])
    for (const [name, origin] of mcpWireNames(again)) if (own.get(idOf(origin)) !== name) problems.push(`${keyOf(origin)} is also called ${name}`);
  if (own.size !== names.size || own.size !== new Set(tools.map(idOf)).size) problems.push('a tool has no name of its own');
  for (const [name, origin] of names) {
    if (!name.startsWith('mcp__') || !isLegalId(name) || !dispatcher.has(name)) problems.push(`${name} is not legal`);
    await dispatcher.execute(name, {}, noHost);
    const last = sent.at(-1);
    if (last?.server !== origin.server || last.tool !== origin.tool || !tools.some((one) => idOf(one) === idOf(origin)))
      problems.push(`${name} leads to ${JSON.stringify(last ?? null)}`);
  }

  const exact = isJsonObject(expected.exact) ? expected.exact : {};
  const isChanged = (key: string): boolean => {
    const name = nameOf.get(key) ?? '';
    const origin = tools.find((one) => keyOf(one) === key);
    const differs = name !== `mcp__${origin?.server}__${origin?.tool}` && !Object.values(exact).includes(name);
    return differs && /_[0-9a-f]{4,16}$/.test(name);
  };
  return {
    ...named(expected, {
      exact: Object.fromEntries(Object.keys(exact).map((key) => [key, nameOf.get(key) ?? null])),
      changed: strings(expected.changed).filter(isChanged),
      minUnique: typeof expected.minUnique === 'number' ? Math.min(expected.minUnique, new Set(names.keys()).size) : 0,
    }),
    ...(problems.length > 0 && { problems }),
  };
}

async function call(input: JsonObject, expected: JsonObject): Promise<Json> {
  refuseUnknown('input', input, ['op', 'servers', 'call']);
  refuseUnknown('expected', expected, ['sentToServer']);
  let sent: ServerTool | null = null;
  const { dispatcher } = offer(readServers(input), (origin) => {
    sent = origin;
  });
  const { resolved } = dispatcher.resolve(text(input.call));
  if (resolved !== null) await dispatcher.execute(resolved, {}, noHost);
  return { sentToServer: sent as unknown as Json };
}

const capabilityWords: Readonly<Record<Capability, string>> = {
  'read-only': 'ReadOnly',
  'writes-files': 'WritesFiles',
  'executes-code': 'ExecutesCode',
  network: 'Network',
  sandboxable: 'Sandboxable',
  'requires-approval': 'RequiresApproval',
};
const approvalWords = { auto: 'Auto', suggest: 'Suggest', required: 'Required' } as const;

function verdict(input: JsonObject, expected: JsonObject): Json {
  refuseUnknown('input', input, ['op', 'name', 'annotations']);
  refuseUnknown('expected', expected, ['capabilities', 'approval']);
  const name = text(input.name);
  const offered = { description: 'd', inputSchema: { type: 'object' }, annotations: input.annotations };
  const spec = mcpTool(name, { server: 's', tool: name }, offered, async () => ok);
  const dispatcher = createToolDispatcher([spec]);
  // A name that is not legal has its verdict all the same, though only a stub of it is registered.
  const capabilities = dispatcher.metadata(name)?.capabilities ?? spec.capabilities;
  return {
    capabilities: Object.entries(capabilityWords).flatMap(([capability, word]) => (capabilities.includes(capability as Capability) ? [word] : [])),
    approval: approvalWords[dispatcher.approvalRequirementFor(name, {})],
  };
}

async function register(input: JsonObject, expected: JsonObject): Promise<Json> {
  refuseUnknown('input', input, ['op', 'tools']);
  refuseUnknown('expected', expected, ['callable', 'failClosed']);
  const given = objects(input.tools);
  const ran = new Set<number>();
  const specs = given.map((tool, at): ToolSpec => {
    refuseUnknown('tool', tool, ['name', 'inputSchema']);
    const execute = async (): Promise<ToolResult> => {
      ran.add(at);
      return ok;
    };
    return {
      name: text(tool.name),
      description: 'd',
      input: z.looseObject({}),
      inputSchema: tool.inputSchema as JsonSchema,
      capabilities: ['read-only'],
      execute,
    };
  });
  const dispatcher = createToolDispatcher(specs);
  const problems: string[] = [];
  let stubs = 0;
  for (const name of dispatcher.names()) {
    if (!isLegalId(name)) problems.push(`${name} is not legal`);
    const before = ran.size;
    const result = await dispatcher.execute(name, {}, noHost);
    const isOwn = given.some((tool, at) => tool.name === name && ran.has(at));
    if (ran.size === before) stubs++;
    if (ran.size === before ? result.error !== 'not-available' : !isOwn) problems.push(`${name} answers ${JSON.stringify(result)}`);
  }
  if (stubs !== given.length - ran.size) problems.push(`${stubs} stubs stand for ${given.length - ran.size} tools`);
  const namesOf = (didRun: boolean): readonly string[] => given.flatMap((tool, at) => (ran.has(at) === didRun ? [text(tool.name)] : []));
  return { ...named(expected, { callable: namesOf(true), failClosed: namesOf(false) }), ...(problems.length > 0 && { problems }) };
}

/** The bytes are those of whole requests, over every wire. */
function catalogue(input: JsonObject, expected: JsonObject): Json {
  refuseUnknown('input', input, ['op', 'orders']);
  refuseUnknown('expected', expected, ['sameBytes', 'names']);
  if (!Array.isArray(input.orders)) throw new Error('orders is a list');
  const sent = input.orders.map((order: Json) => {
    const specs = strings(order).map(
      (name): ToolSpec => ({
        name,
        description: 'd',
        input: z.looseObject({}),
        inputSchema: { type: 'object', properties: { a: { type: 'string' } } },
        capabilities: ['read-only'],
        execute: async () => ok,
      }),
    );
    const tools = createToolDispatcher(specs).apiTools();
    const bytes = providers.map((provider) => {
      const connection: Connection = { provider: provider.id, baseUrl: provider.defaultBaseUrl, apiKey: '', model: 'm' };
      return provider.encode(connection, { model: 'm', system: '', messages: [], tools, maxOutputTokens: 1 }).body;
    });
    return { names: tools.map((tool) => tool.name), bytes: bytes.join('\n') };
  });
  return named(expected, { sameBytes: new Set(sent.map((one) => one.bytes)).size <= 1, names: sent[0]?.names ?? [] });
}
