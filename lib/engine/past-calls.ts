import type { EngineEvent } from '@/lib/contracts/events';
import type { CallId } from '@/lib/contracts/ids';
import { grantKey } from '@/lib/policy/grant-key';

/** The calls of a session by what an approval of them would be remembered under. */
export interface PastCalls {
  /** How many calls but this one an approval under this key would have covered. */
  covered(key: string, except: CallId): number;
}

/** Reads planned calls out of the events as they grow; each key is worked out once, and only when somebody asks. */
export function createPastCalls(events: readonly EngineEvent[]): PastCalls {
  const callsOf = new Map<string, Set<CallId>>();
  let read = 0;
  const catchUp = () => {
    for (; read < events.length; read++) {
      const event = events[read];
      if (event?.type !== 'plan-end') continue;
      for (const { callId, tool, input } of event.calls) {
        const key = grantKey(tool, input);
        if (key === undefined) continue;
        const calls = callsOf.get(key) ?? new Set();
        callsOf.set(key, calls.add(callId));
      }
    }
  };
  return {
    covered(key, except) {
      catchUp();
      const calls = callsOf.get(key);
      return calls === undefined ? 0 : calls.size - (calls.has(except) ? 1 : 0);
    },
  };
}
