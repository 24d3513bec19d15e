import type { ApiTool } from '@/lib/contracts/dispatcher';
import type { CallId } from '@/lib/contracts/ids';
import type { AssistantBlock, Message, ToolResultBlock } from '@/lib/contracts/message';
import type { ModelEvent, ModelRequest } from '@/lib/contracts/model';
import type { ModelFetch, Provider } from '@/lib/contracts/provider';
import { createSseDecoder } from '@/lib/model/sse';
import { createPracticeEndpoint } from '@/lib/practice/practice-endpoint';
import { practiceScripts } from '@/lib/practice/tasks';
import { fixTheTestWorkspace } from '@/lib/practice/workspaces/fix-the-test';
import { starterText } from '@/lib/practice/workspaces/workspace';
import type { JsonObject } from '@/lib/shared/json';

export interface WorldCall {
  readonly name: string;
  readonly input: JsonObject;
}
export interface WorldAnswer {
  readonly content: string;
  readonly isError?: boolean;
}
/** What the tools of a test answer; undefined leaves it to the world below. */
export type Override = (call: WorldCall) => WorldAnswer | undefined;

export interface PlayedStep {
  readonly text: string;
  readonly calls: readonly WorldCall[];
}

export const toolNames = ['edit_file', 'exec_shell', 'grep_files', 'list_dir', 'read_file', 'retrieve_tool_result', 'update_plan'];
export const whale = '2026-07-16  15:20–18:20  Cormorant Bay → Alder Quay  Old Marjory    3h 0m  slowed down for a whale and her calf';

export const deniedByPerson = (tool: string, words?: string): WorldAnswer => ({
  content: `Denied by the person: ${tool} was not executed. ${words === undefined ? 'No reason was given.' : `They said: ${words}`} Only this call is denied, not the tool. Do not send the same call again; go on another way, or ask.`,
  isError: true,
});
export const cancelled: WorldAnswer = { content: 'Cancelled (the person stopped the turn): it was not started', isError: true };

/** Words of the slot and the tools, over one file that can really be edited. */
export function createWorld() {
  let source = starterText(fixTheTestWorkspace, 'src/duration.ts');
  const isFixed = (): boolean => source.includes('Math.round(totalMinutes);');
  const answer = (call: WorldCall): WorldAnswer => {
    const { name, input } = call;
    if (name === 'read_file') {
      const path = String(input['path']);
      const lines = (path === 'src/duration.ts' ? source : starterText(fixTheTestWorkspace, path)).trimEnd().split('\n');
      return {
        content: `${path}, lines 1-${lines.length} of ${lines.length} (1 KB)\n${lines.map((line, i) => `${String(i + 1).padStart(2)}\t${line}`).join('\n')}`,
      };
    }
    if (name === 'edit_file') {
      const search = String(input['search']);
      if (source.split(search).length !== 2) return { content: 'The text to replace is not in src/duration.ts. Nothing was changed.', isError: true };
      source = source.replace(search, () => String(input['replace']));
      return { content: 'Edited src/duration.ts: 1 replacement at line 6 (+3 −2 lines).' };
    }
    if (name === 'exec_shell' && input['command'] === 'npm run report')
      return {
        content: 'ferry-log · summer 2026\n…\n\nFull output saved; call retrieve_tool_result ref=spill-7-abc to view it.\n\n…\ntime under way: 1321h 5m',
      };
    if (name === 'exec_shell')
      return isFixed()
        ? { content: '# pass 8\n# fail 0' }
        : { content: 'not ok 4 - a crossing just short of the full hour is told as the full hour\n# fail 1\n[exit code 1]', isError: true };
    if (name === 'retrieve_tool_result')
      return { content: `[1 line with "whale"; exec_shell result ${String(input['ref'])}, 832 lines, 73 KB in all]\n416\tbefore\n417\t${whale}\n418\tafter` };
    return { content: 'ok' };
  };
  return {
    answer,
    isFixed,
    change: (edit: (text: string) => string): void => {
      source = edit(source);
    },
  };
}

/** Reads a response to its end and gives what the wire's decoder makes of it. */
export async function decode(provider: Provider, body: Uint8Array | readonly Uint8Array[]): Promise<readonly ModelEvent[]> {
  const sse = createSseDecoder();
  const decoder = provider.createDecoder(new Set(toolNames));
  const events: ModelEvent[] = [];
  for (const chunk of body instanceof Uint8Array ? [body] : body) for (const event of sse.push(chunk)) events.push(...decoder.push(event));
  for (const event of sse.end(true).events) events.push(...decoder.push(event));
  events.push(...decoder.end(true));
  return events;
}

export function requestOf(messages: readonly Message[], names: readonly string[] = toolNames): ModelRequest {
  const tools = names.map((name): ApiTool => ({ name, description: name, inputSchema: { type: 'object', properties: {} } }));
  return { model: 'practice', system: 'You are an agent.', messages, tools, maxOutputTokens: 4096 };
}

/** Encodes as the product does, asks the endpoint, and gives the bytes as they came. */
export async function ask(
  endpoint: ModelFetch,
  provider: Provider,
  request: ModelRequest,
  signal = new AbortController().signal,
): Promise<{ readonly response: Response; readonly chunks: readonly Uint8Array[] }> {
  const { url, headers, body } = provider.encode(
    { provider: provider.id, baseUrl: provider.id === 'anthropic' ? 'https://practice.invalid' : 'https://practice.invalid/v1', apiKey: '', model: 'practice' },
    request,
  );
  const response = await endpoint(url, { method: 'POST', headers, body, signal });
  const chunks: Uint8Array[] = [];
  const reader = response.body?.getReader();
  for (let read = await reader?.read(); read !== undefined && !read.done; read = await reader?.read()) chunks.push(read.value as Uint8Array);
  return { response, chunks };
}

/** A session with the practice model over one wire: bytes out, bytes in, nothing left out but the slot. */
export function createSession(provider: Provider, world = createWorld(), names: readonly string[] = toolNames) {
  const endpoint = createPracticeEndpoint({ scripts: practiceScripts, sleep: () => Promise.resolve(), speed: () => Number.POSITIVE_INFINITY });
  const messages: Message[] = [];
  let callCount = 0;
  const step = async (override: Override): Promise<PlayedStep> => {
    const { chunks } = await ask(endpoint, provider, requestOf(messages, names));
    const { text, calls } = collect(await decode(provider, chunks));
    const blocks: AssistantBlock[] = text === '' ? [] : [{ kind: 'text', text }];
    const results: ToolResultBlock[] = [];
    for (const call of calls) {
      const callId = `call-${callCount++}` as CallId;
      const { content, isError = false } = override(call) ?? world.answer(call);
      blocks.push({ kind: 'call', callId, wireId: call.wireId, name: call.name, input: call.input });
      results.push({ callId, wireId: call.wireId, name: call.name, content, isError });
    }
    messages.push({ role: 'assistant', blocks });
    if (results.length > 0) messages.push({ role: 'tool', results });
    return { text, calls: calls.map(({ name, input }) => ({ name, input })) };
  };
  return {
    world,
    messages,
    /** Plays a turn until the model yields; `stopWhen` ends it after a step, as a person's stop does. */
    async turn(text: string, override: Override = () => undefined, stopWhen: (step: PlayedStep) => boolean = () => false): Promise<readonly PlayedStep[]> {
      messages.push({ role: 'user', text });
      const steps: PlayedStep[] = [];
      for (;;) {
        const played = await step(override);
        steps.push(played);
        if (played.calls.length === 0 || stopWhen(played)) return steps;
        if (steps.length > 40) throw new Error('the script does not come to an end');
      }
    },
  };
}

interface Collected {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly { readonly wireId: string; readonly name: string; readonly input: JsonObject }[];
  readonly stop: string | undefined;
}

export function collect(events: readonly ModelEvent[]): Collected {
  let text = '';
  let reasoning = '';
  let stop: string | undefined;
  const calls = new Map<string, { wireId: string; name: string; args: string }>();
  for (const event of events) {
    if (event.type === 'text-delta') text += event.text;
    else if (event.type === 'reasoning-delta') reasoning += event.text;
    else if (event.type === 'call-start') calls.set(event.key, { wireId: event.wireId, name: event.name, args: '' });
    else if (event.type === 'call-args') (calls.get(event.key) as { args: string }).args += event.text;
    else if (event.type === 'stop') stop = event.reason;
  }
  return { text, reasoning, stop, calls: [...calls.values()].map(({ wireId, name, args }) => ({ wireId, name, input: JSON.parse(args) as JsonObject })) };
}
