import type { NewId } from '@/lib/contracts/ids';
import type { ModelEvent } from '@/lib/contracts/model';
import { createBlockAssembler } from '@/lib/pipeline/1-stream/assemble-blocks';
import { createForgeryFilter } from '@/lib/pipeline/1-stream/strip-forged';
import { canonicalJson } from '@/lib/shared/canonical-json';
import { isJsonObject, type Json, type JsonObject } from '@/lib/shared/json';
import { createNewId } from '@/lib/shared/new-ids';
import type { Case } from './case-file';
import { named, objects, type Runner, refuseUnknown, strings, text } from './runner';

/** Kind `forgery`: a turn whose text holds calls, through the assembler and the filter of each text block. */
export const runForgery: Runner = ({ input, expected }, siblings) => {
  if (input.property !== undefined) return runEveryCut(input, siblings);
  refuseUnknown('input', input, ['channel', 'chunks', 'structuredToolUses', 'nextBlockChunks']);
  refuseUnknown('expected', expected, ['visible', 'notices', 'toolCalls', 'executedIds', 'insideAtEnd', 'nextBlockVisible', 'neverVisible']);
  const turn = readTurn(input, strings(input.chunks));
  const never = isJsonObject(expected) ? strings(expected.neverVisible) : [];
  return named(expected, {
    ...turn.seen,
    nextBlockVisible: turn.nextBlockVisible,
    neverVisible: never.filter((words) => !turn.shownAtEachMoment.some((shown) => shown.includes(words))),
  });
};

interface Turn {
  readonly seen: {
    readonly visible: string;
    readonly notices: number;
    readonly toolCalls: number;
    readonly executedIds: readonly string[];
    readonly insideAtEnd: boolean;
  };
  readonly nextBlockVisible: string;
  readonly shownAtEachMoment: readonly string[];
}

function readTurn(input: JsonObject, chunks: readonly string[]): Turn {
  const isSpeech = input.channel === 'assistant_text';
  if (!isSpeech && input.channel !== 'tool_result' && input.channel !== 'user_text') throw new Error('the channel is assistant_text, tool_result or user_text');
  const uses = objects(input.structuredToolUses);
  const assembler = createBlockAssembler({ newId: createNewId('case') as NewId, registered: new Set(uses.map((use) => text(use.name))) });
  const blocks: string[][] = [];
  const inside: boolean[] = [];
  let filter = createForgeryFilter();
  let notices = 0;
  const shownAtEachMoment: string[] = [];

  const release = (output: { readonly visible: string; readonly notice: boolean }) => {
    const shown = blocks.at(-1);
    if (shown === undefined) throw new Error('text outside of a block');
    shown.push(output.visible);
    shownAtEachMoment.push(shown.join(''));
    if (output.notice) notices = 1;
  };
  const push = (event: ModelEvent) => {
    for (const item of assembler.push(event)) {
      if (item.type === 'text-start') {
        filter = createForgeryFilter();
        blocks.push([]);
      } else if (item.type === 'text-delta') release(filter.push(item.text));
      else if (item.type === 'text-end') {
        const output = filter.end();
        inside.push(output.insideAtEnd);
        release(output);
      }
    }
  };
  const say = (texts: readonly string[]) => {
    push({ type: 'text-start' });
    for (const piece of texts) push({ type: 'text-delta', text: piece });
    push({ type: 'text-end' });
  };

  if (isSpeech) {
    say(chunks);
    if (input.nextBlockChunks !== undefined) say(strings(input.nextBlockChunks));
  }
  for (const [index, use] of uses.entries()) {
    const key = String(index);
    push({ type: 'call-start', key, wireId: text(use.id), name: text(use.name) });
    push({ type: 'call-args', key, text: JSON.stringify(use.input ?? {}) });
    push({ type: 'call-end', key });
  }
  const { calls } = assembler.end(true).step;
  const seen = {
    visible: isSpeech ? (blocks[0] ?? []).join('') : chunks.join(''),
    notices,
    toolCalls: calls.length,
    executedIds: calls.map((call) => call.wireId),
    insideAtEnd: inside[0] ?? false,
  };
  return { seen, nextBlockVisible: (blocks[1] ?? []).join(''), shownAtEachMoment };
}

/** However the bytes were cut, the same is seen. */
function runEveryCut(input: JsonObject, siblings: readonly Case[]): Json {
  refuseUnknown('input', input, ['channel', 'property']);
  if (input.property !== 'chunk-invariance') throw new Error(`no runner knows the property ${String(input.property)}`);
  for (const { id, input: other } of siblings) {
    if (other.channel !== 'assistant_text' || other.property !== undefined) continue;
    const points = [...strings(other.chunks).join('')];
    const uncut = canonicalJson(readTurn(other, [points.join('')]).seen);
    const cuts = points.map((_, at) => [points.slice(0, at).join(''), points.slice(at).join('')]);
    for (const chunks of [points, ...cuts]) if (canonicalJson(readTurn(other, chunks).seen) !== uncut) return { sameAsUncut: false, case: id, chunks };
  }
  return { sameAsUncut: true };
}
