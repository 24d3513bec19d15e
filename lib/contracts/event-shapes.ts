import type { ApprovalRequest } from './approval';
import type { Diagnostic } from './diagnostics';
import type { EngineEvent, EngineEventBody, EngineEventType, EventStamp } from './events';
import type { AssistantBlock } from './message';
import type { FileChange, SlotOutcome } from './outcome';
import type { PlannedCallView } from './plan';
import type { DecisionFacts, HostPolicy, Policy, PolicyDifference, PolicyProblem, PolicyRule, PolicyStatus } from './policy';
import type { QuestionRequest } from './question';
import type { ChangedPath } from './undo';
import { z } from './zod';

/** One shape a field, so that a field that is added to a type is missed here by the compiler. */
type Fields<Type> = { readonly [Field in keyof Omit<Type, 'type'>]-?: z.ZodType };

const text = z.string();
const id = z.string().min(1);
const count = z.number().min(0);
const yes = z.boolean();
const list = z.array;
const json = z.json();
const mode = z.enum(['plan', 'ask', 'auto-edit', 'auto']);
const level = z.enum(['auto', 'suggest', 'required']);
const decision = z.enum(['allow', 'ask', 'deny']);
const choice = z.enum(['once', 'session', 'always', 'deny', 'stop']);

const traceEntry = z.looseObject({ rule: text, evidence: text, verdict: text, decided: yes.optional() });
const repair = z.looseObject({ kind: text, rung: text, note: text });
const changeFields: Fields<FileChange> = { path: text, before: text.nullish(), after: text.nullish() };
const change = z.looseObject(changeFields);
const outside = z.looseObject({ field: text, source: text, text });
const modelError = z.looseObject({ code: text, message: text, status: z.number().optional(), retryAfterMs: z.number().optional() });
const part = z.looseObject({ text, from: count, to: count, verdict: decision, rule: text, evidence: text });

const problemFields: Fields<PolicyProblem> = { message: text, line: count, column: count };
const problem = z.looseObject(problemFields);
const ruleFields: Fields<PolicyRule> = {
  effect: decision,
  tool: text.optional(),
  path: text.optional(),
  args: z.record(text, json).optional(),
  capability: text.optional(),
  origin: z.literal('outside').optional(),
  definition: text.optional(),
  reason: text.optional(),
  match: list(z.looseObject({})).optional(),
  notMatch: list(z.looseObject({})).optional(),
};
const hostFields: Fields<HostPolicy> = { allow: list(text), ask: list(text), deny: list(text), default: decision };
const policyFields: Fields<Policy> = {
  version: z.literal(1),
  default: decision,
  shell: z.looseObject({ allow: list(text), ask: list(text), deny: list(text) }),
  hosts: z.looseObject(hostFields),
  // A condition that is not known could narrow a rule: such a rule is not read as a wider one.
  rules: list(z.strictObject(ruleFields)),
};
const statusFields: Fields<PolicyStatus> = {
  inForce: z.union([z.looseObject({ broken: problem }), z.looseObject(policyFields)]).optional(),
  pending: z.looseObject({ fingerprint: text, problem: problem.optional() }).optional(),
};
const differenceFields: Fields<PolicyDifference> = {
  problem: problem.optional(),
  compared: count,
  changed: list(z.looseObject({ callId: id, tool: text, summary: text, before: decision, after: decision, evidence: text })),
  lines: list(text),
};

const outcomeFields: Fields<SlotOutcome> = {
  status: z.enum(['ok', 'failed', 'denied', 'refused', 'blocked', 'cancelled', 'timed-out']),
  content: text,
  error: text.optional(),
  data: json.optional(),
  metadata: z.record(text, json).optional(),
  changes: list(change).optional(),
  editedInput: z.record(text, json).optional(),
  note: text.optional(),
  ownWords: z.literal(true).optional(),
  started: yes,
};

const factFields: Fields<DecisionFacts> = {
  capabilities: list(text),
  inputLevel: level,
  writes: list(text),
  reads: list(text).optional(),
  under: list(text).optional(),
  outside: list(outside).optional(),
  definition: text.optional(),
};
const facts = z.looseObject(factFields).optional();

const requestFields: Fields<ApprovalRequest> = {
  approvalId: id,
  callId: id,
  turnId: id,
  stepId: id,
  agent: id.optional(),
  tool: text,
  title: text,
  subject: text,
  input: json,
  changes: list(change),
  repairs: list(repair),
  trace: list(traceEntry),
  parts: list(part).optional(),
  policyDifference: z.looseObject(differenceFields).optional(),
  choices: list(choice),
  grantCovers: text,
  partCovers: list(text.nullable()).optional(),
  wouldHaveCovered: count.optional(),
  outside: list(outside).optional(),
  definition: text.optional(),
  definitionChanged: z.literal(true).optional(),
  openedAt: z.number(),
};

const plannedFields: Fields<PlannedCallView> = {
  callId: id,
  index: count,
  requestedName: text,
  tool: text,
  summary: text,
  input: z.record(text, json),
  level,
  decision: z.enum(['run', 'ask', 'stopped']),
  repairs: list(repair),
  trace: list(traceEntry),
  facts,
  loop: z.looseObject({ key: text.optional(), polling: yes }).optional(),
};

const questionFields: Fields<QuestionRequest> = {
  questionId: id,
  callId: id,
  turnId: id,
  questions: list(z.looseObject({ question: text, options: list(z.looseObject({ label: text, description: text.optional() })), several: yes })),
  openedAt: z.number(),
};

const block: z.ZodType<{ readonly kind: AssistantBlock['kind'] }> = z.discriminatedUnion('kind', [
  z.looseObject({ kind: z.literal('text'), text }),
  z.looseObject({ kind: z.literal('reasoning'), text, signature: text.optional() }),
  z.looseObject({ kind: z.literal('call'), callId: id, wireId: text, name: text, input: z.record(text, json) }),
]);
const message = z.discriminatedUnion('role', [
  z.looseObject({ role: z.literal('user'), text }),
  z.looseObject({ role: z.literal('assistant'), blocks: list(block) }),
  z.looseObject({ role: z.literal('tool'), results: list(z.looseObject({ callId: id, wireId: text, name: text, content: text, isError: yes })) }),
]);

const approvalOutcome = z.discriminatedUnion('kind', [
  z.looseObject({
    kind: z.literal('answered'),
    choice,
    words: text.optional(),
    parts: list(text).optional(),
    edited: z.looseObject({ input: z.record(text, json), summary: text.optional(), facts, deniedBy: traceEntry.optional() }).optional(),
  }),
  z.looseObject({ kind: z.literal('covered'), decision: z.enum(['allow', 'deny']), deniedBy: traceEntry.optional() }),
  z.looseObject({ kind: z.literal('expired'), afterMs: count }),
  z.looseObject({ kind: z.literal('cancelled') }),
]);
const questionOutcome = z.discriminatedUnion('kind', [
  z.looseObject({ kind: z.literal('answered'), answers: list(z.looseObject({ choices: list(text), words: text.optional() })) }),
  z.looseObject({ kind: z.literal('dismissed') }),
  z.looseObject({ kind: z.literal('cancelled') }),
]);

const changedPathFields: Fields<ChangedPath> = { path: text, kind: z.enum(['made', 'changed', 'removed']) };
const diagnosticFields: Fields<Diagnostic> = { path: text, line: count, column: count, severity: z.enum(['error', 'warning']), code: text, message: text };
const changedPaths = list(z.looseObject(changedPathFields));

const turn = { turnId: id };
const step = { stepId: id };
const call = { callId: id };
const inBatch = { callId: id, batchId: id };

const shapes: { readonly [Type in EngineEventType]: Fields<Extract<EngineEventBody, { type: Type }>> } = {
  'session-start': { title: text, mode, taskId: text.optional() },
  'session-resume': {},
  'mode-change': { mode },
  'prompt-timeout-change': { timeoutMs: count.nullable() },
  'grants-change': { keys: list(text), workspaceKeys: list(text).optional() },
  'grant-revoke': { key: text },
  'definition-change': { tool: text, definition: text },
  'definition-accept': { tool: text, definition: text },
  'policy-change': { status: z.looseObject(statusFields) },
  'turn-start': { ...turn, text, model: text },
  'turn-end': { ...turn, end: z.enum(['yielded', 'stopped', 'failed', 'halted', 'paused']), reason: text.optional(), error: modelError.optional() },
  'step-start': { ...turn, ...step, index: count, agent: id.optional() },
  'step-end': { ...turn, ...step, stop: text, usage: z.looseObject({}) },
  'model-retry': { ...step, attempt: count, waitMs: count, error: modelError },
  'text-start': { ...step, block: count },
  'text-delta': { ...step, block: count, text },
  'text-end': { ...step, block: count },
  'reasoning-delta': { ...step, text },
  'forgery-strip': { ...step, block: count, offset: count, text },
  'call-stream-start': { ...step, ...call, name: text },
  'call-stream-end': { ...step, ...call, name: text, argumentsText: text, warnings: list(text) },
  'early-start': { ...step, ...call, tool: text },
  'early-abort': { ...step, ...call, reason: text },
  'plan-end': {
    ...step,
    calls: list(z.looseObject(plannedFields)),
    batches: list(z.looseObject({ batchId: id, kind: z.enum(['parallel', 'serial']), callIds: list(id) })),
  },
  'approval-start': { request: z.looseObject(requestFields) },
  'approval-revise': { approvalId: id, ...call, trace: list(traceEntry), parts: list(part).optional() },
  'approval-end': { approvalId: id, ...call, outcome: approvalOutcome },
  'batch-start': { ...step, batchId: id },
  'batch-end': { ...step, batchId: id },
  'call-start': { ...inBatch, early: yes },
  'call-output': { ...call, text },
  'inner-call': { ...call, tool: text, input: json, trace: list(traceEntry), outcome: z.looseObject(outcomeFields) },
  'call-settled': { ...call, outcome: z.looseObject(outcomeFields), durationMs: z.number() },
  'call-end': inBatch,
  'call-late-result': { ...call, ok: yes },
  'result-cut': { ...call, totalBytes: count, keptBytes: count, ref: id.optional(), problem: text.optional() },
  'result-push': { ...call, content: text, isError: yes, origin: text.optional() },
  'data-kept': { ...call, bytes: count, ref: id.optional(), problem: text.optional() },
  'result-summary': { ...call, by: z.enum(['model', 'head-and-signal']), totalBytes: count, ref: id },
  'message-push': { message, agent: id.optional() },
  'file-observe': { path: text, print: text.nullable() },
  snapshot: {
    ...call,
    ...turn,
    paths: changedPaths,
    count,
    limits: list(z.enum(['commands', 'packages', 'outside'])),
    problem: text.optional(),
    recovered: z.literal(true).optional(),
  },
  diagnostics: { ...call, checked: list(text), found: list(z.looseObject(diagnosticFields)), count, late: z.literal(true).optional() },
  'snapshot-drop': { callIds: list(id) },
  undo: { undoId: id, by: z.enum(['person', 'model']), callIds: list(id), turnId: id.optional(), paths: changedPaths, count, left: list(text) },
  redo: { undoId: id, callIds: list(id), paths: changedPaths, count, left: list(text) },
  'question-start': { request: z.looseObject(questionFields) },
  'question-end': { questionId: id, ...call, outcome: questionOutcome },
  'job-start': { ...call, taskId: text, command: text },
  'job-end': { ...call, taskId: text, status: text, exitCode: z.number().optional() },
  'tool-note': { key: text, value: json },
  notify: { title: text, body: text },
  'plan-show': { steps: list(z.looseObject({ step: text, status: z.enum(['pending', 'in-progress', 'done']) })), explanation: text.optional() },
  notice: { level: z.enum(['info', 'warning', 'error']), code: text, text },
};

const stamp: Fields<EventStamp> = { sessionId: id, seq: z.int().min(0), at: z.number() };
const byType = new Map<string, z.ZodType>(Object.entries(shapes).map(([type, fields]) => [type, z.looseObject({ ...fields, ...stamp })]));

/**
 * True when `value` is an event whose every reader can rely on its fields: of a store, a shared file, another version.
 *
 * Out    fields that are not known do no harm; a type that is not known is no event.
 */
export function isEngineEvent(value: unknown): value is EngineEvent {
  if (typeof value !== 'object' || value === null || !('type' in value) || typeof value.type !== 'string') return false;
  return byType.get(value.type)?.safeParse(value).success ?? false;
}
