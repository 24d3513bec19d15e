import type { AnswerReceipt, ApprovalAnswer, ApprovalChoice, ApprovalOutcome, ApprovalRequest, EditedCall } from '@/lib/contracts/approval';
import type { Clock } from '@/lib/contracts/clock';
import type { EngineEventBody } from '@/lib/contracts/events';
import type { ApprovalId, CallId, TurnId } from '@/lib/contracts/ids';
import type { Verdict } from '@/lib/contracts/policy';
import { canonicalJson } from '@/lib/shared/canonical-json';
import type { Json, JsonObject } from '@/lib/shared/json';

export interface DeskPorts {
  readonly emit: (event: EngineEventBody) => void;
  /** Takes note of a grant or a denial, at once; settles when what outlives the session is durable. Called before open prompts are decided again. */
  readonly remember: (request: ApprovalRequest, answer: ApprovalAnswer) => void | Promise<void>;
  /** "Stop" was chosen on a card. */
  readonly stopTurn: (turnId: TurnId) => void;
  readonly clock: Pick<Clock, 'after'>;
  /** The time that the person set for prompts; undefined = they wait for ever. */
  readonly timeoutMs: () => number | undefined;
}

/** What a prompt asks of its call. */
export interface PromptCall {
  /** Asked whenever grants, denials, mode or policy changed. */
  decideAgain(): Verdict;
  /** Checks arguments that the person edited, and decides the call anew; `problem` = they are not valid, and why. */
  edit(input: JsonObject): EditedCall | { readonly problem: string };
}

/** Where prompts wait for a person. One per session, for every agent in it; holds no lock. */
export interface ApprovalDesk {
  open(request: ApprovalRequest, call: PromptCall): void;
  /** Notes how a call was decided that needed no prompt after all. */
  pass(callId: CallId, outcome: ApprovalOutcome): void;
  /** Settles when the call's prompt has ended and its answer is kept; `undefined` when it has none. */
  outcome(callId: CallId): Promise<ApprovalOutcome> | undefined;
  /** Counts when its prompt is open, once. A cancel in the same tick wins. */
  answer(answer: ApprovalAnswer): Promise<AnswerReceipt>;
  /** Gives the same answer to each prompt of the turn, in the order they opened, each for its own call; answers how many counted. */
  answerAll(turnId: TurnId, choice: ApprovalChoice): Promise<number>;
  /** The time that the person set for prompts has run out for this one: denied, and not remembered. True when it was open. */
  expire(approvalId: ApprovalId): boolean;
  /** Decides every open prompt again: covered ones end, the others stay. `change`: what they are decided by changes now, and not before its turn. */
  redecide(change?: () => void): Promise<void>;
  /** Ends every prompt of the turn without a decision, at once. */
  cancelTurn(turnId: TurnId): void;
  pending(): readonly ApprovalRequest[];
}

interface Prompt {
  /** As its card tells it now. */
  request: ApprovalRequest;
  readonly call: PromptCall;
  readonly settle: (outcome: ApprovalOutcome | Promise<ApprovalOutcome>) => void;
  readonly cancelTimer: () => void;
}

/**
 * Makes a desk without prompts.
 *
 * Order  answers, changes and new decisions take effect one after the other, each at the end of its tick; a cancel takes effect at once,
 *        so it wins over an answer of the same tick.
 */
export function createApprovalDesk(ports: DeskPorts): ApprovalDesk {
  const open = new Map<ApprovalId, Prompt>();
  const outcomes = new Map<CallId, { readonly turnId: TurnId | undefined; readonly outcome: Promise<ApprovalOutcome> }>();
  let before: Promise<unknown> = Promise.resolve();
  const inOrder = <Value>(run: () => Value): Promise<Value> => {
    const done = before.then(run);
    before = done.catch(() => undefined);
    return done;
  };

  const close = (prompt: Prompt, outcome: ApprovalOutcome, kept?: void | Promise<void>) => {
    const { approvalId, callId } = prompt.request;
    open.delete(approvalId);
    prompt.cancelTimer();
    ports.emit({ type: 'approval-end', approvalId, callId, outcome });
    prompt.settle(kept === undefined ? outcome : kept.then(() => outcome));
  };
  /** A person must not read a reason that is none any more. */
  const revise = (prompt: Prompt, trace: Verdict['trace'], parts: Verdict['parts']) => {
    const { approvalId, callId, trace: told } = prompt.request;
    if (canonicalJson(trace as unknown as Json) === canonicalJson(told as unknown as Json)) return;
    const reasons = { trace, ...(parts === undefined ? {} : { parts }) };
    prompt.request = { ...prompt.request, ...reasons };
    ports.emit({ type: 'approval-revise', approvalId, callId, ...reasons });
  };
  const decideOpen = () => {
    for (const prompt of [...open.values()]) {
      const { decision, trace, parts } = prompt.call.decideAgain();
      if (decision === 'ask') {
        revise(prompt, trace, parts);
        continue;
      }
      const deniedBy = decision === 'deny' ? trace.find((entry) => entry.decided) : undefined;
      close(prompt, { kind: 'covered', decision, ...(deniedBy === undefined ? {} : { deniedBy }) });
    }
  };
  /** Takes an answer. True: it may have changed what the others are decided by. */
  const take = (given: ApprovalAnswer): AnswerReceipt & { readonly remembered: boolean } => {
    const prompt = open.get(given.approvalId);
    // An answer for longer than once counts also where nothing can be remembered, and then leaves nothing.
    if (prompt === undefined) return { counted: false, remembered: false };
    let edited: EditedCall | undefined;
    if (given.edited !== undefined) {
      if (given.choice !== 'once')
        return { counted: false, remembered: false, problem: 'Edited arguments can be allowed once only. The prompt is still open.' };
      const checked = prompt.call.edit(given.edited);
      if ('problem' in checked) return { counted: false, remembered: false, problem: checked.problem };
      edited = checked;
    }
    const { choice, parts } = given;
    const words = given.words?.trim();
    const remembered = choice !== 'once' && choice !== 'stop';
    const kept = remembered ? ports.remember(prompt.request, given) : undefined;
    const outcome: ApprovalOutcome = {
      kind: 'answered',
      choice,
      ...(words === undefined || words === '' ? {} : { words }),
      ...(parts === undefined || choice === 'once' || choice === 'deny' || choice === 'stop' ? {} : { parts }),
      ...(edited === undefined ? {} : { edited }),
    };
    close(prompt, outcome, kept);
    if (choice === 'stop') ports.stopTurn(prompt.request.turnId);
    return { counted: true, remembered };
  };
  const expire = (approvalId: ApprovalId, afterMs: number) => {
    const prompt = open.get(approvalId);
    if (prompt !== undefined) close(prompt, { kind: 'expired', afterMs });
    return prompt !== undefined;
  };

  return {
    open(request, call) {
      const { approvalId, callId, turnId } = request;
      const timeoutMs = ports.timeoutMs();
      const outcome = new Promise<ApprovalOutcome>((settle) => {
        const cancelTimer = timeoutMs === undefined ? () => {} : ports.clock.after(timeoutMs, () => void expire(approvalId, timeoutMs));
        open.set(approvalId, { request, call, settle, cancelTimer });
      });
      outcomes.set(callId, { turnId, outcome });
      ports.emit({ type: 'approval-start', request });
    },
    pass: (callId, outcome) => void outcomes.set(callId, { turnId: undefined, outcome: Promise.resolve(outcome) }),
    outcome: (callId) => outcomes.get(callId)?.outcome,
    answer: (given) =>
      inOrder(() => {
        const { remembered, ...receipt } = take(given);
        if (remembered) decideOpen();
        return receipt;
      }),
    answerAll: (turnId, choice) =>
      inOrder(() => {
        const ids = [...open.values()].filter(({ request }) => request.turnId === turnId).map(({ request }) => request.approvalId);
        const taken = ids.map((approvalId) => take({ approvalId, choice }));
        if (taken.some(({ remembered }) => remembered)) decideOpen();
        return taken.filter(({ counted }) => counted).length;
      }),
    expire: (approvalId) => expire(approvalId, ports.timeoutMs() ?? 0),
    redecide: (change) =>
      inOrder(() => {
        change?.();
        decideOpen();
      }),
    cancelTurn(turnId) {
      for (const prompt of [...open.values()]) if (prompt.request.turnId === turnId) close(prompt, { kind: 'cancelled' });
      for (const [callId, known] of outcomes) if (known.turnId === turnId || known.turnId === undefined) outcomes.delete(callId);
    },
    pending: () => [...open.values()].map(({ request }) => request),
  };
}
