import type { CallId } from '@/lib/contracts/ids';
import { encodeUtf8 } from '@/lib/shared/bytes';
import { canonicalJson } from '@/lib/shared/canonical-json';
import { fingerprintBytes } from '@/lib/shared/fingerprint-bytes';
import type { Json } from '@/lib/shared/json';
import { type CyclePeriod, createCycleWatch } from './cycle-watch';

/** A call as the guard knows it: `key` is its loop key, equal for calls that ask the same. */
export interface GuardedCall {
  readonly callId: CallId;
  readonly tool: string;
  readonly key: string;
  readonly polling: boolean;
}

export interface GuardedOutcome extends GuardedCall {
  readonly ok: boolean;
  /** The guard itself stopped the call. */
  readonly blocked?: boolean;
  /** false = an earlier stage or a person stopped it: a failure of the tool, but no finished request. Default true. */
  readonly executed?: boolean;
  readonly result?: Json;
  readonly error?: string;
}

/** `cycle`: with this event a round of so many calls was completed for the third time. */
export type AttemptAnswer = ({ readonly kind: 'proceed' } | { readonly kind: 'block'; readonly count: 3; readonly earlier?: CallId }) & {
  readonly cycle?: CyclePeriod;
};
export type OutcomeAnswer = (
  | { readonly kind: 'continue' }
  | { readonly kind: 'warn'; readonly count: 3 }
  | { readonly kind: 'halt'; readonly count: number }
  | { readonly kind: 'ignored' }
) & {
  readonly cycle?: CyclePeriod;
};

export interface LoopGuard {
  /** Planning reaches the guard with a call that no earlier stage refused. */
  attempt(call: GuardedCall): AttemptAnswer;
  outcome(outcome: GuardedOutcome): OutcomeAnswer;
  /** Forgets everything. */
  newTurn(): void;
}

const ATTEMPTS = 2;
const WARN_FAILURES = 3;
const HALT_FAILURES = 8;

interface Requested {
  attempts: number;
  lastCall: CallId;
  answeredBy?: CallId;
  /** Digest of the previous result of a polling tool. */
  previousResult?: string;
  /** Signature of its latest executed call. */
  signature?: number;
  /** Signature of it with a result that is good and not looked at; made once. */
  passed?: number;
}

/**
 * Keeps a turn from going in circles.
 *
 * Out    the third equal call is blocked and told which call answers it already; a polling tool's changed result starts
 *        its count anew. Three failures of a tool in a row warn, eight halt. `cycle` warns once about a repeating round.
 * Order  attempts in call order, outcomes in call order after them.
 * Source governance 6.
 */
export function createLoopGuard(): LoopGuard {
  /** By tool, then by key: so the key's own text is looked up, and none is put together for every call. */
  const requests = new Map<string, Map<string, Requested>>();
  const failures = new Map<string, number>();
  const cycles = createCycleWatch();
  const ofTool = (tool: string) => {
    let known = requests.get(tool);
    if (known === undefined) {
      known = new Map();
      requests.set(tool, known);
    }
    return known;
  };
  const withCycle = <Answer extends object>(answer: Answer, cycle: CyclePeriod | undefined): Answer & { cycle?: CyclePeriod } =>
    cycle === undefined ? answer : { ...answer, cycle };

  return {
    attempt({ callId, tool, key }) {
      const known = ofTool(tool).get(key);
      if (known === undefined) {
        ofTool(tool).set(key, { attempts: 1, lastCall: callId });
        return proceed;
      }
      if (known.attempts >= ATTEMPTS) {
        const cycle = known.signature === undefined ? undefined : cycles.enter(known.signature);
        return withCycle({ kind: 'block', count: 3, earlier: known.answeredBy ?? known.lastCall }, cycle);
      }
      known.attempts++;
      known.lastCall = callId;
      return proceed;
    },

    outcome({ callId, tool, key, polling, ok, blocked, executed = true, result, error }) {
      if (blocked) return { kind: 'ignored' };
      const before = failures.get(tool) ?? 0;
      const failed = ok ? 0 : before + 1;
      if (failed !== before) failures.set(tool, failed);
      let cycle: CyclePeriod | undefined;
      if (executed) {
        let known = ofTool(tool).get(key);
        if (known === undefined) {
          known = { attempts: 0, lastCall: callId };
          ofTool(tool).set(key, known);
        }
        const resultText = polling && result !== undefined ? digest(canonicalJson(result)) : undefined;
        if (resultText !== undefined) {
          if (known.previousResult !== undefined && known.previousResult !== resultText) known.attempts = 1;
          known.previousResult = resultText;
        }
        if (ok || known.answeredBy === undefined) known.answeredBy = callId;
        if (ok && resultText === undefined) {
          known.passed ??= cycles.ownSignature();
          known.signature = known.passed;
        } else {
          const came = JSON.stringify([ok, ok || error === undefined ? null : digest(error), resultText ?? null]);
          known.signature = cycles.signature(`${tool}\0${key}\0${came}`, !ok);
        }
        cycle = cycles.enter(known.signature);
      }
      if (failed >= HALT_FAILURES) return withCycle({ kind: 'halt', count: failed }, cycle);
      if (failed === WARN_FAILURES) return withCycle({ kind: 'warn', count: 3 }, cycle);
      return withCycle({ kind: 'continue' }, cycle);
    },

    newTurn() {
      requests.clear();
      failures.clear();
      cycles.clear();
    },
  };
}

const proceed: AttemptAnswer = { kind: 'proceed' };

const DIGEST_OVER = 256;

/** Only whether two results are equal counts, so a long one is not kept: a turn may bring a hundred of them. */
function digest(text: string): string {
  return text.length <= DIGEST_OVER ? text : fingerprintBytes(encodeUtf8(text));
}
