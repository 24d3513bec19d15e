import { exactFingerprint } from '@/lib/policy/fingerprint';
import { grantKey } from '@/lib/policy/grant-key';
import type { ApprovalChoice, ApprovalRequest, Mode } from '@/lib/contracts/approval';
import type { EngineEvent } from '@/lib/contracts/events';
import type { Standing } from '@/lib/contracts/policy';
import { isJsonObject, type JsonObject } from '@/lib/shared/json';

/** What a session remembers of its person's decisions. */
export interface LiveStanding extends Standing {
  mode: Mode;
  readonly grants: Set<string>;
  readonly denials: Set<string>;
}

/** Rebuilds the standing of a session from its events. */
export function createStanding(mode: Mode, events: readonly EngineEvent[]): LiveStanding {
  const standing: LiveStanding = { mode, grants: new Set(), denials: new Set() };
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
  else if (choice === 'session' || choice === 'always') standing.grants.add(grantKey(request.tool, input));
}
