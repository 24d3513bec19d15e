import type { SpillRef } from '@/lib/contracts/ids';
import { gateArguments, isTruncatedStop } from '@/lib/pipeline/2-plan/truncation-gate';
import { cutShellOutput } from '@/lib/pipeline/5-backfill/cut';
import { cutMarker, joinCut } from '@/lib/pipeline/5-backfill/cut-marker';
import { encodeUtf8 } from '@/lib/shared/bytes';
import { isJsonObject, type Json } from '@/lib/shared/json';
import { planRefusedCall } from './refused-call';
import { flag, joinParts, named, objects, type Runner, refuseUnknown, strings, text } from './runner';

const OUTPUT_FIELDS = [
  'truncated',
  'bytes',
  'headBytes',
  'tailBytes',
  'omittedBytes',
  'pointer',
  'visible',
  'visibleStartsWith',
  'visibleEndsWith',
  'signalContains',
  'signalLacks',
  'signalLines',
  'validUtf8',
  'loneSurrogates',
  'sumEqualsBytes',
];

/** Kind `truncation`, `shell_output`: what is shown of the output of a finished command. */
export const runShellOutput: Runner = ({ input, expected }) => {
  refuseUnknown('input', input, ['kind', 'output']);
  refuseUnknown('expected', expected, OUTPUT_FIELDS);
  const wanted = isJsonObject(expected) ? expected : {};
  const cut = cutShellOutput(joinParts(input.output));
  const ref = 'the-case' as SpillRef;
  const visible = joinCut(cut, cutMarker({ kind: 'saved', ref }));
  const signals = cut.truncated ? cut.signalLines : [];
  const starts = typeof wanted.visibleStartsWith === 'string' && visible.startsWith(wanted.visibleStartsWith);
  const ends = typeof wanted.visibleEndsWith === 'string' && visible.endsWith(wanted.visibleEndsWith);
  const shownLines = visible.split('\n');
  return named(expected, {
    truncated: cut.truncated,
    bytes: cut.bytes,
    ...(cut.truncated ? { headBytes: cut.headBytes, tailBytes: cut.tailBytes, omittedBytes: cut.omittedBytes } : {}),
    pointer: cut.truncated && visible.includes(`call retrieve_tool_result ref=${ref} to view it.`),
    visible,
    visibleStartsWith: starts ? wanted.visibleStartsWith : visible.slice(0, 200),
    visibleEndsWith: ends ? wanted.visibleEndsWith : visible.slice(-200),
    signalContains: strings(wanted.signalContains).filter((line) => signals.includes(line) && shownLines.includes(line)),
    signalLacks: strings(wanted.signalLacks).filter((line) => !signals.includes(line)),
    signalLines: signals.length,
    validUtf8: !visible.includes('\ufffd') && new TextDecoder('utf-8', { ignoreBOM: true }).decode(encodeUtf8(visible)) === visible,
    loneSurrogates: visible.match(/\p{Surrogate}/gu)?.length ?? 0,
    sumEqualsBytes: cut.truncated
      ? cut.headBytes + cut.tailBytes + cut.omittedBytes === cut.bytes && Math.min(cut.headBytes, cut.tailBytes, cut.omittedBytes) >= 0
      : undefined,
  });
};

const GATE_FIELDS = ['truncatedTurn', 'verdicts', 'inputs', 'resultContains', 'success', 'metadata', 'countsAsAttempt', 'countsAsFailure', 'earlyTaskAborted'];

/** Kind `truncation`, `gate`: the verdict on each call of a turn, and what a refusal says and counts as. */
export const runTruncationGate: Runner = async ({ input, expected }) => {
  refuseUnknown('input', input, ['kind', 'stopReason', 'streamError', 'calls']);
  refuseUnknown('expected', expected, GATE_FIELDS);
  const stopReason = input.stopReason === null || input.stopReason === undefined ? null : text(input.stopReason);
  const truncatedTurn = isTruncatedStop(stopReason);
  const calls = objects(input.calls).map((call) => {
    refuseUnknown('call', call, ['name', 'argText', 'blockClosed']);
    const options = { truncatedTurn, streamError: flag(input.streamError), blockClosed: flag(call.blockClosed, true) };
    return { name: text(call.name), argText: text(call.argText), gate: gateArguments(text(call.argText), options) };
  });
  const gates = calls.map((call) => call.gate);
  const got: Record<string, Json | undefined> = {
    truncatedTurn,
    verdicts: gates.map((gate) => gate.verdict),
    inputs: gates.flatMap((gate) => (gate.verdict === 'execute' ? [gate.input] : [])),
  };
  const refused = calls.find((call) => call.gate.verdict === 'refuse');
  const wanted = isJsonObject(expected) ? expected : {};
  if (
    refused !== undefined &&
    stopReason !== null &&
    ['resultContains', 'success', 'metadata', 'countsAsAttempt', 'countsAsFailure', 'earlyTaskAborted'].some((field) => wanted[field] !== undefined)
  ) {
    const refusal = await planRefusedCall({ name: refused.name, argumentsText: refused.argText, stopReason });
    got.resultContains = strings(wanted.resultContains).filter((words) => refusal.content.includes(words));
    got.success = refusal.success;
    got.metadata = isJsonObject(wanted.metadata) ? named(wanted.metadata, refusal.metadata) : refusal.metadata;
    got.countsAsAttempt = refusal.countsAsAttempt;
    got.countsAsFailure = refusal.countsAsFailure;
    got.earlyTaskAborted = refusal.earlyTaskAborted;
  }
  return named(expected, got);
};
