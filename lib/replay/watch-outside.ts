import type { EngineEvent } from '@/lib/contracts/events';
import type { DecisionFacts, OutsideBytes } from '@/lib/contracts/policy';
import { createOutsideTracker } from '@/lib/pipeline/2-plan/outside-bytes';
import { recallOutside } from '@/lib/pipeline/5-backfill/outside-source';
import { canonicalJson } from '@/lib/shared/canonical-json';
import type { Json, JsonObject } from '@/lib/shared/json';

/** Follows what results brought from outside, and says of which call the log names other bytes in its arguments than it carries. */
export interface OutsideWatch {
  /** In words, each fault of this event. */
  see(event: EngineEvent): readonly string[];
}

/** Makes the watch over one session's log. */
export function createOutsideWatch(): OutsideWatch {
  const tracker = createOutsideTracker();
  const differs = (input: JsonObject, facts: DecisionFacts | undefined) => facts !== undefined && said(tracker.find(input)) !== said(facts.outside ?? []);
  return {
    see(event) {
      const wrong: string[] = [];
      if (event.type === 'plan-end') for (const { callId, input, facts } of event.calls) if (differs(input, facts)) wrong.push(callId);
      if (event.type === 'approval-end' && event.outcome.kind === 'answered' && event.outcome.edited !== undefined) {
        const { input, facts } = event.outcome.edited;
        if (differs(input, facts)) wrong.push(event.callId);
      }
      recallOutside(tracker, [event]);
      return wrong.map((callId) => `${callId} was decided as if its arguments carried other bytes from outside than they do`);
    },
  };
}

function said(found: readonly OutsideBytes[]): string {
  return canonicalJson(found as unknown as Json);
}
