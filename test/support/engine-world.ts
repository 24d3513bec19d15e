import { emptyRuntime } from '@/lib/conformance/empty-runtime';
import type { Mode } from '@/lib/contracts/approval';
import type { LanguagePort } from '@/lib/contracts/diagnostics';
import type { ToolDispatcher } from '@/lib/contracts/dispatcher';
import type { EngineEvent } from '@/lib/contracts/events';
import type { SessionId, SpillRef, WorkspaceId } from '@/lib/contracts/ids';
import type { ModelEvent, ModelRequest, ModelStreamItem } from '@/lib/contracts/model';
import type { FetchWeb } from '@/lib/contracts/network';
import type { Capability, ToolResult } from '@/lib/contracts/outcome';
import type { Runtime } from '@/lib/contracts/runtime';
import type { SessionLink } from '@/lib/contracts/session-link';
import type { Stores } from '@/lib/contracts/store';
import type { ToolContext } from '@/lib/contracts/tool-context';
import { defineTool, type ToolSpec } from '@/lib/contracts/tool-spec';
import { z } from '@/lib/contracts/zod';
import { createEngine, type Engine } from '@/lib/engine/engine';
import type { OpenWorkspace } from '@/lib/engine/ports';
import { createGit } from '@/lib/git/create-git';
import type { SummarisePort } from '@/lib/pipeline/5-backfill/summarise';
import { createToolDispatcher } from '@/lib/registry/tool-dispatcher';
import { createWorkspaceFiles } from '@/lib/runtime/workspace-files';
import type { Json } from '@/lib/shared/json';
import { createNewId } from '@/lib/shared/new-ids';
import { createMemoryLinks } from '@/lib/storage/memory-link';
import { createMemoryStores } from '@/lib/storage/memory-stores';
import { createVirtualClock, type VirtualClock } from './virtual-clock';

/** A call as a test writes it. */
export interface TestCall {
  readonly name: string;
  readonly input?: Json;
  /** Argument text as it comes over the wire, instead of `input`. */
  readonly raw?: string;
}

export interface TestStep {
  readonly text?: string;
  readonly calls?: readonly TestCall[];
  readonly stop?: 'end' | 'calls' | 'length';
  readonly rawStop?: string;
  /** Virtual milliseconds between the last call and the end of the stream. */
  readonly tailMs?: number;
  /** The stream breaks after what was sent. */
  readonly breaks?: boolean;
}

/** What a model answers: from the request it got. */
export type TestModel = (request: ModelRequest, step: number) => TestStep;

/** An engine over memory, a virtual clock and a model that a test scripts in neutral events. */
export interface EngineWorld {
  readonly engine: Engine;
  readonly clock: VirtualClock;
  readonly stores: Stores;
  readonly events: EngineEvent[];
  readonly sessionId: SessionId;
  readonly requests: ModelRequest[];
  /** Sends and runs until the turn ended or waits for something. */
  send(text: string): Promise<void>;
  of<Type extends EngineEvent['type']>(type: Type): Extract<EngineEvent, { type: Type }>[];
}

export interface TestEngineOptions {
  readonly tools: readonly ToolSpec[];
  readonly model: TestModel;
  readonly clock: VirtualClock;
  readonly stores: Stores;
  readonly runtime?: Runtime;
  readonly language?: LanguagePort;
  /** What stands between the tools and the engine. */
  readonly wrap?: (dispatcher: ToolDispatcher) => ToolDispatcher;
  readonly link?: SessionLink;
  readonly fetchWeb?: FetchWeb;
  readonly summarise?: SummarisePort;
  /** The part of its ids that no other engine of the test has. */
  readonly tab?: string;
  readonly onRequest?: (request: ModelRequest) => number;
}

/** One engine as a tab has it. */
export function createTestEngine(options: TestEngineOptions): Engine {
  const { clock, stores } = options;
  const newId = createNewId(options.tab ?? 'test');
  const runtime = options.runtime ?? emptyRuntime;
  const record = { workspaceId: newId<WorkspaceId>('workspace'), name: 'test', createdAt: clock.now(), grants: [] };
  const workspace: OpenWorkspace = {
    record,
    runtime,
    files: createWorkspaceFiles(runtime),
    git: createGit(runtime.fs, { now: clock.now, author: { name: 'Test', email: 'test@example.invalid' } }),
    search: async () => [],
    ...(options.language === undefined ? {} : { language: options.language }),
  };
  let refs = 0;
  let requests = 0;
  return createEngine({
    dispatcher: (options.wrap ?? ((dispatcher) => dispatcher))(createToolDispatcher(options.tools)),
    stores,
    workspaces: { create: async () => record, open: async () => workspace, close: async () => undefined, remove: async () => undefined },
    models: {
      current: () => ({ kind: 'practice' }),
      connect: () => ({ kind: 'practice' }),
      choose: () => ({ kind: 'practice' }),
      test: async () => 'ready',
      open: () => ({
        name: 'test',
        async *stream(request, signal): AsyncIterable<ModelStreamItem> {
          const step = options.onRequest?.(request) ?? requests++;
          yield* streamOf(options.model(request, step), clock, signal);
        },
      }),
    },
    tasks: [],
    link: options.link ?? createMemoryLinks().link(),
    fetchWeb: options.fetchWeb,
    summarise: options.summarise,
    clock,
    newId,
    newSpillRef: () => `ref-${options.tab ?? 'test'}-${refs++}` as SpillRef,
  });
}

export async function createEngineWorld(
  options: Omit<TestEngineOptions, 'clock' | 'stores'> & { readonly mode?: Mode; readonly stores?: Stores; readonly clock?: VirtualClock },
): Promise<EngineWorld> {
  const clock = options.clock ?? createVirtualClock();
  const stores = options.stores ?? createMemoryStores();
  const requests: ModelRequest[] = [];
  const events: EngineEvent[] = [];
  const engine = createTestEngine({ ...options, clock, stores, onRequest: (request) => requests.push(request) - 1 });
  engine.subscribe((group) => void events.push(...group));
  const created = await engine.command({ type: 'session-create' });
  if (!created.ok) throw new Error(created.message);
  const { sessionId } = created.value.record;
  if (options.mode !== undefined) await engine.command({ type: 'mode-set', sessionId, mode: options.mode });
  return {
    engine,
    clock,
    stores,
    events,
    sessionId,
    requests,
    async send(text) {
      const sent = await engine.command({ type: 'turn-send', sessionId, text });
      if (!sent.ok) throw new Error(sent.message);
      await clock.settle();
    },
    of: (type) => events.filter((event) => event.type === type) as never,
  };
}

async function* streamOf(step: TestStep, clock: VirtualClock, signal: AbortSignal): AsyncIterable<ModelStreamItem> {
  const items: ModelEvent[] = [];
  if (step.text !== undefined) items.push({ type: 'text-start' }, { type: 'text-delta', text: step.text }, { type: 'text-end' });
  for (const [index, call] of (step.calls ?? []).entries()) {
    const key = String(index);
    items.push(
      { type: 'call-start', key, wireId: `wire_${index}`, name: call.name },
      { type: 'call-args', key, text: call.raw ?? JSON.stringify(call.input ?? {}) },
      { type: 'call-end', key },
    );
  }
  yield* items;
  if (step.tailMs !== undefined) {
    try {
      await clock.sleep(step.tailMs, signal);
    } catch {
      yield { type: 'error', error: { code: 'aborted', message: 'stopped' } };
      return;
    }
  }
  if (step.breaks) {
    yield { type: 'error', error: { code: 'stream-cut', message: 'The answer broke off.' } };
    return;
  }
  const reason = step.stop ?? ((step.calls ?? []).length > 0 ? 'calls' : 'end');
  yield { type: 'stop', reason, raw: step.rawStop ?? reason };
}

/** A tool whose body a test writes. */
export function testTool(
  name: string,
  capabilities: readonly Capability[],
  body: (input: Record<string, unknown>, context: ToolContext) => Promise<ToolResult>,
  more: Partial<ToolSpec> = {},
): ToolSpec {
  return defineTool({
    name,
    description: `The test tool ${name}.`,
    input: z.looseObject({}),
    capabilities,
    execute: (input, context) => body(input as Record<string, unknown>, context),
    ...more,
  });
}

/** A result that says only this. */
export function said(content: string): ToolResult {
  return { ok: true, content };
}
