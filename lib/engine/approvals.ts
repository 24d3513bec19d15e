import type { ApprovalAnswer, ApprovalRequest, RememberedGrant } from '@/lib/contracts/approval';
import type { EngineEvent } from '@/lib/contracts/events';
import type { SessionRecord } from '@/lib/contracts/store';
import { type ApprovalDesk, createApprovalDesk } from '@/lib/pipeline/4-execute/approval-desk';
import type { PromptFacts } from '@/lib/pipeline/4-execute/request-approvals';
import { messageOf } from '@/lib/shared/coded-error';
import { createPastCalls } from './past-calls';
import type { EnginePorts } from './ports';
import type { Recorder } from './recorder';
import { createStanding, type LiveStanding } from './standing';
import type { WorkspaceGrants } from './workspace-grants';

/** The approvals of one session: its desk, and what its person has said before. */
export interface Approvals {
  readonly desk: ApprovalDesk;
  readonly standing: LiveStanding;
  readonly promptFacts: PromptFacts;
  /** Says which remembered approvals are in force where the log does not know it yet. */
  begin(): void;
  /** Takes back a remembered approval, of the session or of the workspace; false = there is none. */
  revoke(key: string): Promise<boolean>;
  /** Approvals of this tool hold for what its server sends now; false = that has not changed. */
  acceptDefinition(tool: string): Promise<boolean>;
  /** Hears no more of other sessions and of servers. */
  close(): void;
}

export interface ApprovalsParts {
  readonly record: SessionRecord;
  readonly stored: readonly EngineEvent[];
  /** Grows. */
  readonly events: readonly EngineEvent[];
  readonly grants: WorkspaceGrants;
  readonly recorder: Pick<Recorder, 'emit' | 'commit'>;
  readonly ports: Pick<EnginePorts, 'clock' | 'definitions' | 'dispatcher'>;
  readonly stopTurn: () => void;
  readonly timeoutMs: () => number | undefined;
  readonly policyDifference: PromptFacts['policyDifference'];
}

/** Makes the approvals of a session that is being opened. */
export function createApprovals({ record, stored, events, grants, recorder, ports, stopTurn, timeoutMs, policyDifference }: ApprovalsParts): Approvals {
  const definitionOf = (tool: string) => ports.definitions?.current(tool) ?? ports.dispatcher.metadata(tool)?.definition;
  const sayGrants = (keys: ReadonlySet<string>) => {
    const workspaceKeys = [...new Set(grants.all().map(({ key }) => key))].filter((key) => keys.has(key));
    recorder.emit({ type: 'grants-change', keys: [...keys], ...(workspaceKeys.length === 0 ? {} : { workspaceKeys }) });
  };
  const standing = createStanding(record.mode, stored, { workspaceGrants: grants.all, definitionOf, onGrants: sayGrants });
  const pastCalls = createPastCalls(events);
  const accepted = new Map<string, string>();
  for (const event of stored) if (event.type === 'definition-accept') accepted.set(event.tool, event.definition);

  const keepAlways = async (given: readonly RememberedGrant[]) => {
    try {
      await grants.add(given);
    } catch (error) {
      standing.keep(given);
      recorder.emit({
        type: 'notice',
        level: 'warning',
        code: 'grant-not-stored',
        text: `What you allowed always could not be stored (${messageOf(error)}). It holds until this session ends; allow it again later.`,
      });
    }
  };
  const desk = createApprovalDesk({
    emit(event) {
      recorder.emit(event);
      // An answer is not lost with the tab, also where its call has to wait for its turn.
      if (event.type === 'approval-end') void recorder.commit();
    },
    remember(request: ApprovalRequest, answer: ApprovalAnswer) {
      const always = standing.remember(request, answer, ports.clock.now());
      return always.length === 0 ? undefined : keepAlways(always);
    },
    stopTurn,
    clock: ports.clock,
    timeoutMs,
  });
  const lookAgain = () => {
    standing.refresh();
    void desk.redecide();
  };
  const stopHearing = [
    grants.subscribe(lookAgain),
    ports.definitions?.subscribe((tool) => {
      const definition = definitionOf(tool);
      if (definition !== undefined) recorder.emit({ type: 'definition-change', tool, definition });
      lookAgain();
      void recorder.commit();
    }),
  ];

  return {
    desk,
    standing,
    begin() {
      const said = stored.findLast((event) => event.type === 'grants-change')?.keys ?? [];
      if (said.join() !== [...standing.grants].join()) sayGrants(standing.grants);
    },
    promptFacts: {
      definitionOf,
      isSuspended: (key) => !standing.grants.has(key) && [...standing.sessionGrants(), ...grants.all()].some((grant) => grant.key === key),
      wouldHaveCovered: pastCalls.covered,
      policyDifference,
    },
    async revoke(key) {
      const here = standing.revoke(key);
      const everywhere = await grants.remove(key);
      if (!here && !everywhere) return false;
      recorder.emit({ type: 'grant-revoke', key });
      await desk.redecide();
      await recorder.commit();
      return true;
    },
    async acceptDefinition(tool) {
      const definition = definitionOf(tool);
      const known = accepted.get(tool) ?? ports.dispatcher.metadata(tool)?.definition;
      if (definition === undefined || definition === known) return false;
      accepted.set(tool, definition);
      recorder.emit({ type: 'definition-accept', tool, definition });
      standing.accept(tool, definition);
      await grants.accept(tool, definition);
      await desk.redecide();
      await recorder.commit();
      return true;
    },
    close() {
      for (const stop of stopHearing) stop?.();
    },
  };
}
