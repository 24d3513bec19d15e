import type { ApprovalAnswer, ApprovalOutcome, ApprovalRequest } from '@/lib/contracts/approval';
import type { EngineEventBody } from '@/lib/contracts/events';
import type { ApprovalId, CallId, TurnId } from '@/lib/contracts/ids';
import type { Decision } from '@/lib/contracts/policy';

export interface DeskPorts {
  readonly emit: (event: EngineEventBody) => void;
  /** Takes note of a session grant or a denial; called before open prompts are decided again. */
  readonly remember: (request: ApprovalRequest, answer: ApprovalAnswer) => void;
  /** "Stop" was chosen on a card. */
  readonly stopTurn: (turnId: TurnId) => void;
}

/** Where prompts wait for a person. One per session; holds no lock. */
export interface ApprovalDesk {
  /** Opens a prompt. `decideAgain` is asked whenever grants, denials, mode or policy changed. */
  open(request: ApprovalRequest, decideAgain: () => Decision): void;
  /** Settles when the call's prompt has ended; `undefined` when it has none. */
  outcome(callId: CallId): Promise<ApprovalOutcome> | undefined;
  /** True when the answer counted: its prompt was open. An answer counts once. */
  answer(answer: ApprovalAnswer): boolean;
  /** Gives the same answer to each prompt of the turn, in the order they opened; answers how many counted. */
  answerAll(turnId: TurnId, choice: 'once' | 'deny'): number;
  /** The time that the person set for prompts has run out for this one: denied, and not remembered. True when it was open. */
  expire(approvalId: ApprovalId): boolean;
  /** Decides every open prompt again: covered ones end, the others stay. */
  redecide(): void;
  /** Ends every prompt of the turn without a decision. */
  cancelTurn(turnId: TurnId): void;
  pending(): readonly ApprovalRequest[];
}

interface Prompt {
  readonly request: ApprovalRequest;
  readonly decideAgain: () => Decision;
  readonly settle: (outcome: ApprovalOutcome) => void;
}

/** Makes a desk without prompts. */
export function createApprovalDesk(ports: DeskPorts): ApprovalDesk {
  const open = new Map<ApprovalId, Prompt>();
  const outcomes = new Map<CallId, Promise<ApprovalOutcome>>();
  const close = (prompt: Prompt, outcome: ApprovalOutcome) => {
    open.delete(prompt.request.approvalId);
    ports.emit({ type: 'approval-end', approvalId: prompt.request.approvalId, callId: prompt.request.callId, outcome });
    prompt.settle(outcome);
  };
  const redecide = () => {
    for (const prompt of [...open.values()]) {
      const decision = prompt.decideAgain();
      if (decision !== 'ask') close(prompt, { kind: 'covered', decision });
    }
  };
  const answer = (given: ApprovalAnswer): boolean => {
    const prompt = open.get(given.approvalId);
    if (prompt === undefined || !prompt.request.choices.includes(given.choice)) return false;
    close(
      prompt,
      given.words === undefined || given.words === ''
        ? { kind: 'answered', choice: given.choice }
        : { kind: 'answered', choice: given.choice, words: given.words },
    );
    if (given.choice === 'stop') ports.stopTurn(prompt.request.turnId);
    else if (given.choice !== 'once') {
      ports.remember(prompt.request, given);
      redecide();
    }
    return true;
  };
  return {
    open(request, decideAgain) {
      outcomes.set(
        request.callId,
        new Promise((settle) => {
          open.set(request.approvalId, { request, decideAgain, settle });
        }),
      );
      ports.emit({ type: 'approval-start', request });
    },
    outcome: (callId) => outcomes.get(callId),
    answer,
    answerAll(turnId, choice) {
      const ids = [...open.values()].filter((prompt) => prompt.request.turnId === turnId).map((prompt) => prompt.request.approvalId);
      return ids.filter((approvalId) => answer({ approvalId, choice })).length;
    },
    expire(approvalId) {
      const prompt = open.get(approvalId);
      if (prompt !== undefined) close(prompt, { kind: 'covered', decision: 'deny' });
      return prompt !== undefined;
    },
    redecide,
    cancelTurn(turnId) {
      for (const prompt of [...open.values()]) if (prompt.request.turnId === turnId) close(prompt, { kind: 'cancelled' });
      outcomes.clear();
    },
    pending: () => [...open.values()].map((prompt) => prompt.request),
  };
}
