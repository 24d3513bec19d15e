import type { ApprovalChoice, ApprovalRequest, Mode, RememberedGrant } from '@/lib/contracts/approval';
import type { EngineEvent } from '@/lib/contracts/events';
import type { PolicyInForce, PolicyStatus, Standing } from '@/lib/contracts/policy';
import { exactFingerprint } from '@/lib/policy/fingerprint';
import { grantsFor } from '@/lib/policy/grants-for';
import { isJsonObject, type JsonObject } from '@/lib/shared/json';

/** What a session remembers of its person's decisions. */
export interface LiveStanding extends Standing {
  mode: Mode;
  policy?: PolicyInForce;
  /** Keys of the remembered approvals that are in force: of the session and of its workspace, for the definitions that hold now. */
  readonly grants: ReadonlySet<string>;
  readonly denials: Set<string>;
  /** What is remembered for this session alone. */
  readonly sessionGrants: () => readonly RememberedGrant[];
  /** Takes note of an answer; the answer is what outlives the session. Once and stop leave nothing. */
  remember(request: ApprovalRequest, answer: RememberedAnswer, at: number): readonly RememberedGrant[];
  /** Keeps for the session what could not be kept for the workspace. */
  keep(grants: readonly RememberedGrant[]): void;
  /** Takes back an approval of the session; false = there is none. */
  revoke(key: string): boolean;
  /** Approvals of this tool hold for this definition now. */
  accept(tool: string, definition: string): void;
  /** Looks anew at the workspace's grants and the definitions. */
  refresh(): void;
}

export interface RememberedAnswer {
  readonly choice: ApprovalChoice;
  readonly parts?: readonly string[];
}

export interface StandingSources {
  /** What was granted for the workspace, in whichever session. */
  readonly workspaceGrants: () => readonly RememberedGrant[];
  /** `sha256:…` of what its server sends now; undefined = not an external tool. */
  readonly definitionOf: (tool: string) => string | undefined;
  /** Other approvals are in force now than before. */
  readonly onGrants: (keys: ReadonlySet<string>) => void;
}

/** Rebuilds the standing of a session from its events; what outlives a session is in its workspace, not in the log. */
export function createStanding(mode: Mode, events: readonly EngineEvent[], sources: StandingSources): LiveStanding {
  const inSession = new Map<string, RememberedGrant>();
  const denials = new Set<string>();
  const grants = new Set<string>();
  // What the log says is read, not said again.
  let isLive = false;
  const refresh = () => {
    const before = [...grants].join();
    grants.clear();
    for (const grant of [...inSession.values(), ...sources.workspaceGrants()])
      if (grant.definition === undefined || grant.definition === sources.definitionOf(grant.tool)) grants.add(grant.key);
    if (isLive && [...grants].join() !== before) sources.onGrants(grants);
  };
  const standing: LiveStanding = {
    mode,
    grants,
    denials,
    sessionGrants: () => [...inSession.values()],
    remember(request, { choice, parts }, at) {
      const input: JsonObject = isJsonObject(request.input) ? request.input : {};
      if (choice === 'deny') denials.add(exactFingerprint(request.tool, input));
      if (choice !== 'session' && choice !== 'always') return [];
      const given = grantsFor(request.tool, input, parts).map(
        ({ key, covers }): RememberedGrant => ({
          key,
          tool: request.tool,
          covers,
          grantedAt: at,
          ...(request.definition === undefined ? {} : { definition: request.definition }),
        }),
      );
      if (choice === 'always') return given;
      standing.keep(given);
      return [];
    },
    keep(given) {
      for (const grant of given) inSession.set(grant.key, grant);
      refresh();
    },
    revoke(key) {
      const had = inSession.delete(key);
      refresh();
      return had;
    },
    accept(tool, definition) {
      for (const grant of inSession.values()) if (grant.tool === tool && grant.definition !== undefined) inSession.set(grant.key, { ...grant, definition });
      refresh();
    },
    refresh,
  };
  const requests = new Map<string, ApprovalRequest>();
  for (const event of events) {
    if (event.type === 'approval-start') requests.set(event.request.approvalId, event.request);
    else if (event.type === 'mode-change') standing.mode = event.mode;
    else if (event.type === 'policy-change') setPolicy(standing, event.status);
    else if (event.type === 'grant-revoke') standing.revoke(event.key);
    else if (event.type === 'definition-accept') standing.accept(event.tool, event.definition);
    else if (event.type === 'approval-end' && event.outcome.kind === 'answered') {
      const request = requests.get(event.approvalId);
      if (request !== undefined) standing.remember(request, event.outcome, event.at);
    }
  }
  refresh();
  isLive = true;
  return standing;
}

/** What decides from now on. */
export function setPolicy(standing: LiveStanding, { inForce }: PolicyStatus): void {
  if (inForce === undefined) delete standing.policy;
  else standing.policy = inForce;
}
