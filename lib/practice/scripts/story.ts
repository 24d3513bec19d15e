import type { CallView, Conversation, TurnView } from '@/lib/practice/read-conversation';
import type { ResultStatus } from '@/lib/practice/read-result';
import type { JsonObject } from '@/lib/shared/json';

/** A call with its place in the conversation; `at` grows by one a call over all turns. */
export interface PlacedCall {
  readonly name: string;
  readonly input: JsonObject;
  readonly text: string;
  /** A call without a result is read as one that was given up. */
  readonly status: ResultStatus;
  readonly words: string | undefined;
  readonly at: number;
  readonly turn: number;
  /** Number of the step over all turns. */
  readonly step: number;
  /** What the model said in the step of the call, as the history has it. */
  readonly said: string;
}

/** What has happened so far, in the form scripts ask about it. */
export interface Story {
  readonly calls: readonly PlacedCall[];
  /** 0-based number of the turn that is going on. */
  readonly turn: number;
  readonly userText: string;
  readonly stepsThisTurn: number;
  /** Place of the first call that would come next. */
  readonly now: number;
  /** For every earlier turn that ended in words alone: the place those words stand at. */
  readonly spoken: readonly number[];
}

/** Lays a conversation out as one line of calls. */
export function readStory(conversation: Conversation): Story {
  const calls: PlacedCall[] = [];
  let steps = 0;
  const spoken: number[] = [];
  conversation.turns.forEach((turn, index) => {
    for (const step of turn.steps) {
      for (const call of step.calls) calls.push(place(call, { at: calls.length, turn: index, step: steps, said: step.text }));
      steps++;
    }
    if (index < conversation.turns.length - 1 && endsInWords(turn)) spoken.push(calls.length);
  });
  const last = conversation.turns.at(-1);
  return { calls, turn: conversation.turns.length - 1, userText: last?.userText ?? '', stepsThisTurn: last?.steps.length ?? 0, now: calls.length, spoken };
}

/** The calls of a tool whose input fits, oldest first. */
export function callsOf(story: Story, name: string, fits: (input: JsonObject) => boolean = () => true): readonly PlacedCall[] {
  return story.calls.filter((call) => call.name === name && fits(call.input));
}

export function inThisTurn(story: Story, calls: readonly PlacedCall[]): readonly PlacedCall[] {
  return calls.filter((call) => call.turn === story.turn);
}

function place(call: CallView, where: Pick<PlacedCall, 'at' | 'turn' | 'step' | 'said'>): PlacedCall {
  const result = call.result;
  return { name: call.name, input: call.input, text: result?.text ?? '', status: result?.status ?? 'cancelled', words: result?.words, ...where };
}

function endsInWords(turn: TurnView): boolean {
  const last = turn.steps.at(-1);
  return last !== undefined && last.calls.length === 0 && last.text.trim() !== '';
}
