import type { ApprovalRequest } from '@/lib/contracts/approval';
import type { EngineEvent } from '@/lib/contracts/events';
import { grantsFor } from '@/lib/policy/grants-for';
import { isJsonObject } from '@/lib/shared/json';

/** Follows the remembered approvals of a log: each key in force has a giver, an answer of this session or another session of its workspace. */
export interface GrantWatch {
  /** In words, each fault of this event. */
  see(event: EngineEvent): readonly string[];
}

/** Makes the watch over one session's log. */
export function createGrantWatch(): GrantWatch {
  const prompts = new Map<string, ApprovalRequest>();
  const given = new Set<string>();
  /** In force at some time. */
  const seen = new Set<string>();
  /** A yes for the session takes effect one event before it is told. */
  let unexplained: readonly string[] = [];
  /** Of a call that a remembered yes let start: the keys that have to be in force by then. */
  const owed = new Map<string, readonly string[]>();
  return {
    see(event) {
      const faults: string[] = [];
      const before = unexplained;
      unexplained = [];
      if (event.type === 'approval-start') prompts.set(event.request.approvalId, event.request);
      else if (event.type === 'approval-end' && event.outcome.kind === 'answered') {
        const { choice, parts } = event.outcome;
        const request = prompts.get(event.approvalId);
        if (request !== undefined && (choice === 'session' || choice === 'always')) {
          const keys = grantsFor(request.tool, isJsonObject(request.input) ? request.input : {}, parts).map(({ key }) => key);
          for (const key of keys) given.add(key);
          // What is bound to a definition may be suspended.
          if (request.definition === undefined) owed.set(event.callId, keys);
        }
      } else if (event.type === 'grants-change') {
        for (const key of event.keys) seen.add(key);
        const fromElsewhere = new Set(event.workspaceKeys);
        unexplained = event.keys.filter((key) => !given.has(key) && !fromElsewhere.has(key));
      } else if (event.type === 'grant-revoke') given.delete(event.key);
      else if (event.type === 'call-start') {
        const missing = owed.get(event.callId)?.find((key) => !seen.has(key));
        if (missing !== undefined) faults.push(`${event.callId} was allowed for longer, and the approval never came into force: ${missing}`);
      }
      for (const key of before) if (!given.has(key)) faults.push(`an approval was in force that nobody gave: ${key}`);
      return faults;
    },
  };
}
