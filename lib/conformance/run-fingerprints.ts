import type { ApprovalChoice, ApprovalRequest, RememberedGrant } from '@/lib/contracts/approval';
import type { ApprovalId, CallId, StepId, TurnId } from '@/lib/contracts/ids';
import type { Capability } from '@/lib/contracts/outcome';
import type { DecisionFacts } from '@/lib/contracts/policy';
import { createStanding } from '@/lib/engine/standing';
import { decisionFacts } from '@/lib/pipeline/2-plan/call-facts';
import { createApprovalDesk } from '@/lib/pipeline/4-execute/approval-desk';
import { approvalLevelOf } from '@/lib/policy/approval-level';
import { decide } from '@/lib/policy/decide';
import { exactFingerprint } from '@/lib/policy/fingerprint';
import { grantKey } from '@/lib/policy/grant-key';
import { policyWithoutRules } from '@/lib/policy/starter-policy';
import { createToolDispatcher } from '@/lib/registry/tool-dispatcher';
import { isJsonObject, type Json, type JsonObject } from '@/lib/shared/json';
import { builtInTools } from '@/lib/tools/registry.gen';
import { readMode } from './run-shell-policy';
import { named, objects, type Runner, refuseUnknown, text } from './runner';

interface CaseCall {
  readonly tool: string;
  readonly args: JsonObject;
}

/** Kind `fingerprints`, `approval_covers`: have both calls the same approval key. */
export const runApprovalCovers: Runner = ({ input, expected }) => {
  refuseUnknown('input', input, ['kind', 'approvedForSession', 'candidate']);
  refuseUnknown('expected', expected, ['covered']);
  const approved = readCall(input.approvedForSession);
  const candidate = readCall(input.candidate);
  const key = grantKey(approved.tool, approved.args);
  return named(expected, { covered: key !== undefined && key === grantKey(candidate.tool, candidate.args) });
};

/** Kind `fingerprints`, `denial_suppresses`: have both calls the same exact fingerprint. */
export const runDenialSuppresses: Runner = ({ input, expected }) => {
  refuseUnknown('input', input, ['kind', 'denied', 'candidate']);
  refuseUnknown('expected', expected, ['suppressed']);
  const denied = readCall(input.denied);
  const candidate = readCall(input.candidate);
  return named(expected, { suppressed: exactFingerprint(denied.tool, denied.args) === exactFingerprint(candidate.tool, candidate.args) });
};

/** Kind `fingerprints`, `session`: asks and answers over one session, by the desk and the standing that the engine uses. */
export const runApprovalSession: Runner = async ({ input }) => {
  refuseUnknown('input', input, ['kind', 'mode', 'events']);
  const told: Json[] = [];
  const always: RememberedGrant[] = [];
  let session = openSession(readMode(input.mode), always);
  let asks = 0;
  let latest = '';
  for (const event of objects(input.events)) {
    refuseUnknown('event', event, ['ask', 'id', 'answer', 'timeout', 'setMode', 'cancelTurn', 'pending', 'newSession']);
    const id = (event.id === undefined ? latest : text(event.id)) as ApprovalId;
    if (event.ask !== undefined) {
      latest = event.id === undefined ? `ask ${asks++}` : text(event.id);
      told.push(session.ask(latest as ApprovalId, readCall(event.ask)));
    } else if (event.answer !== undefined) await session.desk.answer({ approvalId: id, choice: readChoice(event.answer) });
    else if (event.timeout === true) session.desk.expire(id);
    else if (event.setMode !== undefined) await session.setMode(readMode(event.setMode));
    else if (event.cancelTurn === true) {
      told.push(...session.desk.pending().map(() => 'cancelled'));
      session.desk.cancelTurn(turnId);
    } else if (event.pending !== undefined) {
      const isOpen = session.desk.pending().some((request) => request.approvalId === event.pending);
      told.push(isOpen ? 'still_waiting' : 'settled');
    } else if (event.newSession === true) session = openSession(readMode(input.mode), always);
    else throw new Error('an event without a meaning');
  }
  return told;
};

const turnId = 'turn' as TurnId;

function openSession(mode: ReturnType<typeof readMode>, always: RememberedGrant[]) {
  const standing = createStanding(mode, [], { workspaceGrants: () => always, definitionOf: () => undefined, onGrants: () => undefined });
  const desk = createApprovalDesk({
    emit: () => {},
    remember(request, answer) {
      always.push(...standing.remember(request, answer, 0));
      standing.refresh();
    },
    stopTurn: () => desk.cancelTurn(turnId),
    clock: { after: () => () => {} },
    timeoutMs: () => undefined,
  });
  const verdictOn = ({ tool, args }: CaseCall) => {
    const facts = { tool, input: args, repairs: [], ...factsOf(tool, args) };
    return decide(facts, { ...standing, policy: policyWithoutRules });
  };
  return {
    desk,
    setMode: (next: typeof mode) =>
      desk.redecide(() => {
        standing.mode = next;
      }),
    ask(approvalId: ApprovalId, call: CaseCall): Json {
      const { decision } = verdictOn(call);
      if (decision === 'ask')
        desk.open(requestFor(approvalId, call), { decideAgain: () => verdictOn(call), edit: () => ({ problem: 'this kind has no edits' }) });
      return decision === 'ask' ? 'prompt' : decision === 'allow' ? 'auto_approve' : 'auto_deny';
    },
  };
}

function requestFor(approvalId: ApprovalId, { tool, args }: CaseCall): ApprovalRequest {
  const choices: readonly ApprovalChoice[] = ['once', 'session', 'always', 'deny', 'stop'];
  const place = { approvalId, callId: approvalId as string as CallId, turnId, stepId: 'step' as StepId };
  return { ...place, tool, title: tool, subject: tool, input: args, changes: [], repairs: [], trace: [], choices, grantCovers: '', openedAt: 0 };
}

const dispatcher = createToolDispatcher(builtInTools);

/** What a built-in tool says about the call; another one declares what its name stands for in the contract. */
function factsOf(tool: string, args: JsonObject): DecisionFacts {
  if (dispatcher.has(tool)) return decisionFacts({ tool, input: args }, dispatcher, undefined);
  const capabilities = capabilitiesOf(tool);
  return { capabilities, inputLevel: approvalLevelOf(capabilities), writes: [] };
}

function capabilitiesOf(tool: string): readonly Capability[] {
  if (tool.startsWith('exec_') || tool.startsWith('run_')) return ['executes-code'];
  if (tool === 'exit_plan_mode') return ['read-only', 'requires-approval'];
  if (tool.startsWith('mcp__') || tool === 'send_mail') return ['network', 'requires-approval'];
  return ['read-only'];
}

function readCall(value: Json | undefined): CaseCall {
  if (!isJsonObject(value)) throw new Error('a call is {tool, args}');
  refuseUnknown('call', value, ['tool', 'args']);
  if (!isJsonObject(value.args)) throw new Error('args is an object');
  return { tool: text(value.tool), args: value.args };
}

function readChoice(value: Json): ApprovalChoice {
  if (value !== 'once' && value !== 'session' && value !== 'always' && value !== 'deny' && value !== 'stop') throw new Error('no such answer');
  return value;
}
