import type { CallId } from '@/lib/contracts/ids';
import { type AttemptAnswer, createLoopGuard, type OutcomeAnswer } from '@/lib/pipeline/2-plan/loop-guard';
import { canonicalJson } from '@/lib/shared/canonical-json';
import type { Json, JsonObject } from '@/lib/shared/json';
import { flag, objects, type Runner, refuseUnknown, strings, text } from './runner';

/** Kind `loop-guard`: one answer an event, and the warnings about cycles where the case is about them. */
export const runLoopGuard: Runner = ({ input }) => {
  refuseUnknown('input', input, ['kind', 'events', 'pollingTools']);
  if (input.kind !== 'guard' && input.kind !== 'cycle') throw new Error('kind is guard or cycle');
  const polling = new Set(strings(input.pollingTools));
  const guard = createLoopGuard();
  /** Of the calls of the same words: how many go on and have no outcome yet, and whether an earlier stage refused one. */
  const open = new Map<string, { running: number; refused: boolean }>();
  const answers: string[] = [];
  let serial = 0;

  const identify = (tool: string, event: JsonObject) => ({
    callId: `call-${serial++}` as CallId,
    tool,
    key: event.args === undefined ? '' : canonicalJson(event.args),
    polling: polling.has(tool),
  });
  const openOf = (call: { readonly tool: string; readonly key: string }) => {
    const id = canonicalJson([call.tool, call.key]);
    const known = open.get(id) ?? { running: 0, refused: false };
    open.set(id, known);
    return known;
  };
  const tell = (words: string, answer: AttemptAnswer | OutcomeAnswer) => {
    answers.push(words);
    if (input.kind === 'cycle' && answer.cycle !== undefined) answers.push(`warn_cycle:${answer.cycle}`);
  };

  for (const event of objects(input.events)) {
    if (event.newTurn !== undefined) {
      refuseUnknown('event', event, ['newTurn']);
      guard.newTurn();
      open.clear();
      answers.push('ok');
    } else if (event.attempt !== undefined) {
      refuseUnknown('event', event, ['attempt', 'args', 'truncated', 'refused']);
      const call = identify(text(event.attempt), event);
      if (flag(event.truncated) || flag(event.refused)) {
        openOf(call).refused = true;
        answers.push('refused');
      } else {
        const answer = guard.attempt(call);
        if (answer.kind === 'proceed') openOf(call).running++;
        tell(answer.kind === 'block' ? `block:${answer.count}` : answer.kind, answer);
      }
    } else {
      refuseUnknown('event', event, ['outcome', 'ok', 'args', 'result', 'error', 'blocked']);
      const call = identify(text(event.outcome), event);
      const known = openOf(call);
      const blocked = flag(event.blocked);
      const executed = known.running > 0 || !known.refused;
      if (!blocked && known.running > 0) known.running--;
      const answer = guard.outcome({
        ...call,
        ok: flag(event.ok),
        blocked,
        executed,
        ...(event.result === undefined ? {} : { result: event.result as Json }),
        ...(event.error === undefined ? {} : { error: text(event.error) }),
      });
      tell('count' in answer ? `${answer.kind}:${answer.count}` : answer.kind, answer);
    }
  }
  return answers;
};
