import type { ToolErrorKind } from '@/lib/contracts/outcome';
import { defineTool } from '@/lib/contracts/tool-spec';
import { z } from '@/lib/contracts/zod';
import { createModelClient } from '@/lib/model/model-client';
import { approvalLevelOf } from '@/lib/policy/approval-level';
import { openaiChat } from '@/lib/providers/openai-chat';
import { encodeUtf8 } from '@/lib/shared/bytes';
import { isJsonObject, type Json, type JsonObject } from '@/lib/shared/json';
import { type CaseEngine, openCaseEngine } from './case-engine';
import { readCapabilities } from './run-batching';
import { joinParts, named, type Runner, refuseUnknown, strings, text } from './runner';

const EXPECTED = ['executed', 'result', 'value', 'repairs', 'approval', 'raised', 'resultContains', 'cardShowsRepairs'];
const kinds: Readonly<Record<ToolErrorKind, string>> = {
  'invalid-input': 'InvalidInput',
  'missing-field': 'MissingField',
  'path-escape': 'PathEscape',
  'execution-failed': 'ExecutionFailed',
  timeout: 'Timeout',
  'not-available': 'NotAvailable',
  'permission-denied': 'PermissionDenied',
  cancelled: 'Cancelled',
};
const levels = { auto: 'Auto', suggest: 'Suggest', required: 'Required' } as const;

/** Kind `dispatch`: one call from the bytes of its arguments to executed or refused, through the engine and a real wire. */
export const runDispatch: Runner = async ({ input, expected }) => {
  refuseUnknown('input', input, ['tool', 'raw', 'rawBase64', 'finishReason']);
  refuseUnknown('expected', expected, EXPECTED);
  const { tool } = input;
  refuseUnknown('tool', tool ?? null, ['name', 'capabilities', 'schema']);
  if (!isJsonObject(tool) || !isJsonObject(tool.schema)) throw new Error('tool is {name, capabilities, schema}');
  const received: JsonObject[] = [];
  const spec = defineTool({
    name: text(tool.name),
    description: 'The tool of a case.',
    input: z.looseObject({}),
    inputSchema: tool.schema,
    capabilities: readCapabilities(tool.capabilities),
    execute: async (value) => {
      received.push(value as JsonObject);
      return { ok: true, content: 'done' };
    },
  });
  const raw = typeof input.rawBase64 !== 'string' ? encodeUtf8(joinParts(input.raw)) : Uint8Array.from(atob(input.rawBase64), (unit) => unit.charCodeAt(0));
  const body = oneCall(spec.name, raw, input.finishReason === undefined || input.finishReason === null ? 'tool_calls' : text(input.finishReason));
  const stream = createModelClient({
    provider: openaiChat,
    connection: { provider: openaiChat.id, baseUrl: 'https://case.invalid', apiKey: '', model: 'case' },
    fetch: async () => new Response(body, { headers: { 'content-type': 'text/event-stream' } }),
    after: () => () => {},
    random: () => 0,
  });
  const world = await openCaseEngine([spec], [stream]);
  await world.send();
  await answerPrompts(world);
  const [planned] = world.of('plan-end')[0]?.calls ?? [];
  const [settled] = world.of('call-settled');
  const [pushed] = world.of('result-push');
  if (planned === undefined || settled === undefined || pushed === undefined) throw new Error('the call got no result');
  const repairs = planned.repairs.filter(({ kind }) => kind !== 'name').map(({ rung }) => rung);
  const own = approvalLevelOf(spec.capabilities);
  const raised = planned.level !== own && planned.trace.some(({ rule }) => rule === 'repaired-call');
  // A host that no policy names is asked for whatever the level; the contract asks for the level.
  const level = !raised && planned.trace.some(({ rule, decided }) => decided === true && rule === 'host') ? own : planned.level;
  const wanted = isJsonObject(expected) ? expected : {};
  const { outcome } = settled;
  const refusedBy = planned.trace.find(({ verdict }) => verdict === 'refuse')?.rule;
  return named(expected, {
    executed: received.length > 0,
    result:
      outcome.status === 'ok'
        ? 'ok'
        : refusedBy === 'damaged'
          ? 'refused_damaged'
          : outcome.metadata?.['truncated_tool_call'] !== undefined
            ? 'refused_truncated'
            : kinds[outcome.error ?? 'execution-failed'],
    value: received[0],
    repairs: received.length > 0 ? repairs : undefined,
    approval: received.length > 0 ? levels[level] : undefined,
    raised: received.length > 0 ? raised : undefined,
    resultContains: strings(wanted.resultContains).filter((words) => pushed.content.includes(words)),
    cardShowsRepairs:
      world
        .of('approval-start')[0]
        ?.request.repairs.map(({ rung }) => rung)
        .join() === strings(wanted.repairs).join(),
  });
};

async function answerPrompts({ engine, clock, sessionId, of }: CaseEngine): Promise<void> {
  const answered = new Set<string>();
  for (;;) {
    const open = of('approval-start').find(({ request }) => !answered.has(request.approvalId));
    if (open === undefined) return;
    const { approvalId } = open.request;
    answered.add(approvalId);
    await engine.command({ type: 'approval-answer', sessionId, answer: { approvalId, choice: 'once' } });
    await clock.settle();
  }
}

/** Bytes of a response with one call; those of its arguments stand in it as they are, escaped only where JSON asks for it. */
function oneCall(name: string, argumentBytes: Uint8Array, finishReason: string): Uint8Array<ArrayBuffer> {
  const mark = '@arguments@';
  const event = (value: Json) => `data: ${JSON.stringify(value)}\n\n`;
  const call = { index: 0, id: 'call_case', type: 'function', function: { name: '', arguments: mark } };
  const chunk = event({ choices: [{ index: 0, delta: { tool_calls: [call] } }] });
  const [before = '', after = ''] = chunk.replace('"name":""', () => `"name":${JSON.stringify(name)}`).split(mark);
  const end = event({ choices: [{ index: 0, delta: {}, finish_reason: finishReason }] });
  const escaped: number[] = [];
  for (const byte of argumentBytes) {
    if (byte === 0x22 || byte === 0x5c) escaped.push(0x5c, byte);
    else if (byte < 0x20) escaped.push(...encodeUtf8(`\\u${byte.toString(16).padStart(4, '0')}`));
    else escaped.push(byte);
  }
  const parts = [encodeUtf8(before), Uint8Array.from(escaped), encodeUtf8(`${after}${end}data: [DONE]\n\n`)];
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
