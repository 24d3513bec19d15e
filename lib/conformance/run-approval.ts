import type { ApprovalChoice } from '@/lib/contracts/approval';
import type { EngineEvent } from '@/lib/contracts/events';
import type { ApprovalId } from '@/lib/contracts/ids';
import type { SlotStatus } from '@/lib/contracts/outcome';
import type { PolicyInForce } from '@/lib/contracts/policy';
import { policyWithoutRules } from '@/lib/policy/starter-policy';
import { canonicalJson } from '@/lib/shared/canonical-json';
import { isJsonObject, type Json, type JsonObject } from '@/lib/shared/json';
import { originOf } from './approval-tools';
import { type ApprovalWorld, type CaseCall, openApprovalWorld } from './approval-world';
import { readMode } from './run-shell-policy';
import { flag, named, objects, type Runner, refuseUnknown, strings, text } from './runner';

/** Kind `approval`: calls, answers and everything that may come between, over the engine's own session. */
export const runApproval: Runner = async ({ input, expected }) => {
  refuseUnknown('input', input, ['mode', 'policy', 'loopGuard', 'slow', 'promptTimeoutMs', 'events']);
  refuseUnknown('expected', expected, [
    'outcomes',
    'executions',
    'prompts',
    'results',
    'resultContains',
    'executedArgs',
    'grants',
    'denials',
    'logHas',
    'logHasBoth',
  ]);
  const events = objects(input.events);
  if (input.promptTimeoutMs !== undefined && typeof input.promptTimeoutMs !== 'number') throw new Error('promptTimeoutMs is a number');
  const world = await openApprovalWorld({
    mode: readMode(input.mode),
    policy: readPolicy(input.policy),
    slow: new Set(strings(input.slow)),
    loopGuard: flag(input.loopGuard),
    promptTimeoutMs: input.promptTimeoutMs,
    served: everyEvent(events).flatMap((event) => (typeof event.definitionChanged === 'string' ? [event.definitionChanged] : [])),
  });
  await play(events, world);
  return compare(expected, world);
};

/** Shell rules as cases write them; the starter policy is off. */
function readPolicy(value: Json | undefined): PolicyInForce {
  if (value === 'broken') return { broken: { message: 'The file of this case does not load.', line: 1, column: 1 } };
  if (value === undefined) return policyWithoutRules;
  refuseUnknown('policy', value, ['allow', 'ask', 'deny']);
  const { allow, ask, deny } = value as JsonObject;
  return { ...policyWithoutRules, shell: { allow: strings(allow), ask: strings(ask), deny: strings(deny) } };
}

function everyEvent(events: readonly JsonObject[]): readonly JsonObject[] {
  return events.flatMap((event) => (event.together === undefined ? [event] : objects(event.together)));
}

async function play(events: readonly JsonObject[], world: ApprovalWorld): Promise<void> {
  for (let at = 0; at < events.length; ) {
    const event = events[at] as JsonObject;
    if (event.together !== undefined) {
      refuseUnknown('event', event, ['together']);
      const tick = objects(event.together);
      for (let within = 0; within < tick.length; ) within += begin(tick, within, world);
      at++;
    } else at += begin(events, at, world);
    await world.waits();
    await world.clock.settle();
  }
}

/** Begins the event at this place, and says how many events belong to it. Nothing waits here, so that events of one tick stay in it. */
function begin(events: readonly JsonObject[], at: number, world: ApprovalWorld): number {
  const event = events[at] as JsonObject;
  if (event.call !== undefined) return beginStep(events, at, world);
  if (event.answer !== undefined) answer(event, world);
  else if (event.answerUnknown !== undefined) {
    refuseUnknown('event', event, ['answerUnknown', 'choice']);
    void world.session()?.desk.answer({ approvalId: text(event.answerUnknown) as ApprovalId, choice: readChoice(event.choice) });
  } else if (event.answerAll !== undefined) {
    refuseUnknown('event', event, ['answerAll']);
    const session = world.session();
    const turnId = session?.running();
    if (turnId !== undefined) void session?.desk.answerAll(turnId, readChoice(event.answerAll));
  } else if (event.edit !== undefined) {
    refuseUnknown('event', event, ['edit', 'args']);
    if (!isJsonObject(event.args)) throw new Error('args is an object');
    const id = text(event.edit);
    const approvalId = world.promptOf(id);
    if (approvalId !== undefined) void world.sessionOf(id)?.desk.answer({ approvalId, choice: 'once', edited: event.args });
  } else if (event.result !== undefined) {
    refuseUnknown('event', event, ['result', 'origin', 'text']);
    world.setResult(text(event.result), text(event.text), text(event.origin));
  } else beginOther(event, world);
  return 1;
}

function beginOther(event: JsonObject, world: ApprovalWorld): void {
  const [kind, ...more] = Object.keys(event);
  if (kind === undefined || more.length > 0) throw new Error(`an event without a meaning: ${JSON.stringify(event)}`);
  const value = event[kind];
  if (kind === 'mode') void world.session()?.setMode(readMode(value));
  else if (kind === 'wait' && typeof value === 'number') world.later(() => world.clock.advance(value));
  else if (kind === 'cancel' && value === true) world.endTurn();
  else if (kind === 'newTurn' && value === true) world.endTurn();
  else if (kind === 'newSession' && value === true) world.later(world.newSession);
  else if (kind === 'kill' && value === true) world.kill();
  else if (kind === 'reopen' && value === true) world.later(world.reopen);
  else if (kind === 'definitionChanged') world.later(() => world.definitions.change(text(value)));
  else if (kind === 'definitionAccepted') void world.session()?.acceptDefinition(text(value));
  else throw new Error(`an event without a meaning: ${JSON.stringify(event)}`);
}

function beginStep(events: readonly JsonObject[], at: number, world: ApprovalWorld): number {
  const first = events[at] as JsonObject;
  let count = 1;
  if (first.step !== undefined) while (events[at + count]?.call !== undefined && events[at + count]?.step === first.step) count++;
  const calls = events.slice(at, at + count).map((event): CaseCall => {
    refuseUnknown('event', event, ['call', 'tool', 'args', 'agent', 'step']);
    if (!isJsonObject(event.args)) throw new Error('args is an object');
    return { id: text(event.call), tool: text(event.tool), args: event.args };
  });
  for (const { id, tool } of calls) {
    const said = world.originOfResult(id);
    if (said !== undefined && said !== originOf(tool)) throw new Error(`${tool} brings nothing of origin ${said}`);
  }
  world.callStep(calls, first.agent === undefined ? 'main' : text(first.agent));
  return count;
}

function answer(event: JsonObject, world: ApprovalWorld): void {
  refuseUnknown('event', event, ['answer', 'choice', 'view', 'text', 'parts', 'promptOf']);
  if (event.promptOf !== undefined && event.promptOf !== 'before') throw new Error('promptOf is before');
  if (event.view !== undefined && typeof event.view !== 'number') throw new Error('view is a number');
  const id = text(event.answer);
  const approvalId = event.promptOf === 'before' ? world.promptBefore(id) : world.promptOf(id);
  if (approvalId === undefined) return;
  void world.sessionOf(id)?.desk.answer({
    approvalId,
    choice: readChoice(event.choice),
    ...(event.text === undefined ? {} : { words: text(event.text) }),
    ...(event.parts === undefined ? {} : { parts: strings(event.parts) }),
  });
}

function readChoice(value: Json | undefined): ApprovalChoice {
  if (value !== 'once' && value !== 'session' && value !== 'always' && value !== 'deny' && value !== 'stop') throw new Error('no such answer');
  return value;
}

function compare(expected: Json, world: ApprovalWorld): Json {
  const wanted = expected as JsonObject;
  const each = (field: string, answerOf: (id: string, wish: Json) => Json | undefined): Json => {
    const wishes = wanted[field];
    if (!isJsonObject(wishes)) return {};
    return Object.fromEntries(Object.entries(wishes).map(([id, wish]) => [id, answerOf(id, wish as Json) ?? null]));
  };
  const session = world.session();
  const remembered = session?.grants();
  const keys = new Set([...(remembered?.session ?? []), ...(remembered?.workspace ?? [])].map((grant) => grant.key));
  return named(expected, {
    outcomes: each('outcomes', (id) => outcomeOf(id, world)),
    executions: each('executions', (id) => world.seen(id)?.executions ?? 0),
    prompts: [...world.prompts],
    results: each('results', (id) => resultsOf(id, world).length),
    resultContains: each('resultContains', (id, wish) => {
      const found = resultsOf(id, world).join('\n');
      return strings(wish).filter((part) => found.includes(part)) as string[];
    }),
    executedArgs: each('executedArgs', (id) => world.seen(id)?.executedArgs),
    grants: keys.size,
    denials: session?.standing.denials.size ?? 0,
    logHas: strings(wanted.logHas).filter((line) => logHas(line, world)),
    logHasBoth: strings(wanted.logHasBoth).filter((id) => logHasBoth(id, world)),
  });
}

const states: Readonly<Record<SlotStatus, string>> = {
  ok: 'executed',
  failed: 'failed',
  denied: 'denied',
  refused: 'refused',
  blocked: 'blocked',
  cancelled: 'cancelled',
  'timed-out': 'timed-out',
};

function outcomeOf(id: string, world: ApprovalWorld): string {
  const call = world.seen(id);
  if (call === undefined) return 'never-called';
  const own = eventsOf(id, world);
  const settled = own.findLast((event) => event.type === 'call-settled' && event.callId === call.callId);
  if (settled?.type === 'call-settled') {
    const hasResult = settled.outcome.status !== 'ok' || resultsOf(id, world).length > 0;
    return hasResult ? states[settled.outcome.status] : 'settled';
  }
  if (
    world
      .sessionOf(id)
      ?.desk.pending()
      .some((request) => request.callId === call.callId)
  )
    return 'waiting';
  return call.executions > 0 ? 'running' : 'planned';
}

/** What the session says now; what is stored where its tab is gone. */
function eventsOf(id: string, world: ApprovalWorld): readonly EngineEvent[] {
  return world.sessionOf(id)?.events ?? world.storedOf(id);
}

/** The results of a call in the history; one that was given back while others of its step are still waited for counts. */
function resultsOf(id: string, world: ApprovalWorld): readonly string[] {
  const callId = world.seen(id)?.callId;
  const events = eventsOf(id, world);
  const inHistory = events.flatMap((event) =>
    event.type === 'message-push' && event.message.role === 'tool'
      ? event.message.results.filter((result) => result.callId === callId).map((result) => result.content)
      : [],
  );
  if (inHistory.length > 0) return inHistory;
  return events.flatMap((event) => (event.type === 'result-push' && event.callId === callId ? [event.content] : []));
}

/** True when the answer is in the log, and was stored before the body started. */
function logHas(line: string, world: ApprovalWorld): boolean {
  const [id = '', choice] = line.split(' ');
  const call = world.seen(id);
  const stored = world.storedOf(id).slice(0, call?.storedAtStart);
  return stored.some(
    (event) => event.type === 'approval-end' && event.callId === call?.callId && event.outcome.kind === 'answered' && event.outcome.choice === choice,
  );
}

function logHasBoth(id: string, world: ApprovalWorld): boolean {
  const callId = world.seen(id)?.callId;
  const stored = world.storedOf(id);
  const original = stored.find((event) => event.type === 'approval-start' && event.request.callId === callId);
  const edited = stored.find((event) => event.type === 'approval-end' && event.callId === callId && event.outcome.kind === 'answered' && event.outcome.edited);
  if (original?.type !== 'approval-start' || edited?.type !== 'approval-end' || edited.outcome.kind !== 'answered') return false;
  const planned = stored.flatMap((event) => (event.type === 'plan-end' ? event.calls.filter((call) => call.callId === callId) : []))[0];
  return planned !== undefined && canonicalJson(original.request.input) === canonicalJson(planned.input);
}
