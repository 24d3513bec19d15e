import type { ApprovalChoice, ApprovalRequest, Mode } from '@/lib/contracts/approval';
import type { EngineEvent } from '@/lib/contracts/events';
import type { Standing } from '@/lib/contracts/policy';
import { exactFingerprint } from '@/lib/policy/fingerprint';
import { grantKey } from '@/lib/policy/grant-key';
import { isJsonObject, type JsonObject } from '@/lib/shared/json';

/** What a session remembers of its person's decisions. */
export interface LiveStanding extends Standing {
  mode: Mode;
  readonly grants: Set<string>;
  readonly denials: Set<string>;
  /** Those of the grants that outlive the session, in its workspace. */
  readonly always: Set<string>;
}

/**
 * Rebuilds the standing of a session from its events.
 *
 * In     `always`: what was granted for the workspace in other sessions.
 */
export function createStanding(mode: Mode, events: readonly EngineEvent[], always: Iterable<string> = []): LiveStanding {
  const standing: LiveStanding = { mode, grants: new Set(always), denials: new Set(), always: new Set(always) };
  const requests = new Map<string, ApprovalRequest>();
  for (const event of events) {
    if (event.type === 'approval-start') requests.set(event.request.approvalId, event.request);
    else if (event.type === 'mode-change') standing.mode = event.mode;
    else if (event.type === 'approval-end' && event.outcome.kind === 'answered') {
      const request = requests.get(event.approvalId);
      if (request !== undefined) rememberAnswer(standing, request, event.outcome.choice);
    }
  }
  return standing;
}

/** Takes note of an answer: session and always grant, deny denies; once and stop leave nothing. */
export function rememberAnswer(standing: LiveStanding, request: ApprovalRequest, choice: ApprovalChoice): void {
  const input: JsonObject = isJsonObject(request.input) ? request.input : {};
  if (choice === 'deny') standing.denials.add(exactFingerprint(request.tool, input));
  if (choice !== 'session' && choice !== 'always') return;
  const key = grantKey(request.tool, input);
  if (key === undefined) return;
  standing.grants.add(key);
  if (choice === 'always') standing.always.add(key);
}
