import type { EngineEvent } from '@/lib/contracts/events';
import type { DecisionFacts } from '@/lib/contracts/policy';
import { canonicalJson } from '@/lib/shared/canonical-json';
import type { Json, JsonObject } from '@/lib/shared/json';

/** What a tool that is known here declares about a call; undefined = it is not known. */
export type DeclaredFacts = (tool: string, input: JsonObject) => DecisionFacts | undefined;

/** Holds what a call was decided by against what its tool declares about its arguments. */
export interface DeclaredWatch {
  /** In words, each fault of this event. */
  see(event: EngineEvent): readonly string[];
}

/** Makes the watch over one session's log. What came from outside, and a server's definition, no declaration holds: others watch these. */
export function createDeclaredWatch(declared: DeclaredFacts): DeclaredWatch {
  const tools = new Map<string, string>();
  const differs = (tool: string, input: JsonObject, facts: DecisionFacts | undefined) => {
    const own = facts === undefined ? undefined : declared(tool, input);
    return own !== undefined && facts !== undefined && said(own) !== said(facts);
  };
  return {
    see(event) {
      const wrong: string[] = [];
      if (event.type === 'plan-end')
        for (const { callId, tool, input, facts } of event.calls) {
          tools.set(callId, tool);
          if (differs(tool, input, facts)) wrong.push(callId);
        }
      if (event.type === 'approval-end' && event.outcome.kind === 'answered' && event.outcome.edited !== undefined) {
        const { input, facts } = event.outcome.edited;
        if (differs(tools.get(event.callId) ?? '', input, facts)) wrong.push(event.callId);
      }
      return wrong.map((callId) => `${callId} was decided as if its arguments did other things than its tool declares`);
    },
  };
}

function said({ outside: _, definition: __, ...facts }: DecisionFacts): string {
  return canonicalJson(facts as unknown as Json);
}
