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
  /** Whether the latest call of these words was refused before the guard saw it. */
  const refused = new Map<string, boolean>();
  const answers: string[] = [];
  let serial = 0;

  const identify = (tool: string, event: JsonObject) => ({
    callId: `call-${serial++}` as CallId,
    tool,
    key: event.args === undefined ? '' : canonicalJson(event.args),
    polling: polling.has(tool),
  });
  const tell = (words: string, answer: AttemptAnswer | OutcomeAnswer) => {
    answers.push(words);
    if (input.kind === 'cycle' && answer.cycle !== undefined) answers.push(`warn_cycle:${answer.cycle}`);
  };

  for (const event of objects(input.events)) {
    if (event.newTurn !== undefined) {
      refuseUnknown('event', event, ['newTurn']);
      guard.newTurn();
      refused.clear();
      answers.push('ok');
    } else if (event.attempt !== undefined) {
      refuseUnknown('event', event, ['attempt', 'args', 'truncated', 'refused']);
      const call = identify(text(event.attempt), event);
      const id = canonicalJson([call.tool, call.key]);
      refused.set(id, flag(event.truncated) || flag(event.refused));
      if (refused.get(id) === true) answers.push('refused');
      else {
        const answer = guard.attempt(call);
        tell(answer.kind === 'block' ? `block:${answer.count}` : answer.kind, answer);
      }
    } else {
      refuseUnknown('event', event, ['outcome', 'ok', 'args', 'result', 'error', 'blocked']);
      const call = identify(text(event.outcome), event);
      const answer = guard.outcome({
        ...call,
        ok: flag(event.ok),
        blocked: flag(event.blocked),
        executed: refused.get(canonicalJson([call.tool, call.key])) !== true,
        ...(event.result === undefined ? {} : { result: event.result as Json }),
        ...(event.error === undefined ? {} : { error: text(event.error) }),
      });
      tell('count' in answer ? `${answer.kind}:${answer.count}` : answer.kind, answer);
    }
  }
  return answers;
};
