import type { CommandAnswer, EngineCommand } from '@/lib/contracts/commands';
import type { EngineEvent } from '@/lib/contracts/events';
import type { SessionId } from '@/lib/contracts/ids';
import type { LinkSeat, SessionLink, SessionRole } from '@/lib/contracts/session-link';
import type { SessionStore } from '@/lib/contracts/store';

export interface SeatsPorts {
  readonly link: SessionLink;
  readonly store: SessionStore;
  /** Shows what the writer in another tab said. */
  readonly show: (events: readonly EngineEvent[]) => void;
  readonly onRole: (sessionId: SessionId, role: SessionRole) => void;
  /** Another tab takes over: end what runs, store it, close the workspace. */
  readonly handOver: (sessionId: SessionId) => Promise<void>;
  /** This tab became the writer of a session that it followed: open it, finish what the other left. */
  readonly takeUp: (sessionId: SessionId) => void;
  readonly runHere: (command: EngineCommand) => Promise<CommandAnswer>;
}

/** Where this engine sits at each session: writing it, or following another tab. */
export interface Seats {
  role(sessionId: SessionId): Promise<SessionRole>;
  /** Hands a command to the tab that writes its session; undefined = that is this one. */
  elsewhere(command: EngineCommand): Promise<CommandAnswer | undefined>;
  /** Tells followers what happened here. */
  publish(events: readonly EngineEvent[]): void;
  /** Events of a followed session as known here. */
  followed(sessionId: SessionId): Promise<readonly EngineEvent[]>;
  takeOver(sessionId: SessionId): Promise<void>;
  leave(sessionId: SessionId): void;
}

/** Makes the seats of one engine. */
export function createSeats(ports: SeatsPorts): Seats {
  const seats = new Map<SessionId, Promise<LinkSeat>>();
  const live = new Map<SessionId, LinkSeat>();
  const followed = new Map<SessionId, EngineEvent[]>();
  /** Sessions that are being handed over: a command that comes meanwhile belongs to the tab that writes next. */
  const handing = new Map<SessionId, Promise<void>>();

  const sit = (sessionId: SessionId): Promise<LinkSeat> => {
    const taken = seats.get(sessionId);
    if (taken !== undefined) return taken;
    const joining = ports.link
      .join(sessionId, {
        onWriter() {
          followed.delete(sessionId);
          ports.takeUp(sessionId);
          ports.onRole(sessionId, 'writer');
        },
        async onTakenOver() {
          const handOver = ports.handOver(sessionId);
          handing.set(
            sessionId,
            handOver.finally(() => handing.delete(sessionId)),
          );
          await handOver;
          ports.onRole(sessionId, 'follower');
        },
        onEvents: (events) => void follow(sessionId, events),
        onCommand: async (command) => (handing.has(sessionId) ? goneMeanwhile : ports.runHere(command)),
      })
      .then((seat) => {
        live.set(sessionId, seat);
        return seat;
      });
    seats.set(sessionId, joining);
    joining.catch(() => seats.delete(sessionId));
    return joining;
  };
  /** Takes what continues the log without a gap; a gap is filled from the store, which the writer fills in groups. */
  const follow = async (sessionId: SessionId, events: readonly EngineEvent[]) => {
    const known = followed.get(sessionId);
    if (known === undefined) return;
    const next = known.length === 0 ? 0 : (known.at(-1)?.seq ?? -1) + 1;
    if ((events[0]?.seq ?? next) > next) await refill(sessionId);
    const from = (known.at(-1)?.seq ?? -1) + 1;
    const fresh = events.filter((event) => event.seq >= from);
    if (fresh.length === 0) return;
    known.push(...fresh);
    ports.show(fresh);
  };
  const refill = async (sessionId: SessionId) => {
    const known = followed.get(sessionId);
    if (known === undefined) return;
    const stored = (await ports.store.events(sessionId)).events;
    const from = (known.at(-1)?.seq ?? -1) + 1;
    const fresh = stored.filter((event) => event.seq >= from);
    known.push(...fresh);
    if (fresh.length > 0) ports.show(fresh);
  };
  return {
    role: async (sessionId) => (await sit(sessionId)).role(),
    async elsewhere(command) {
      if (!('sessionId' in command) || isLocal(command)) return undefined;
      const seat = await sit(command.sessionId);
      if (handing.has(command.sessionId)) {
        await handing.get(command.sessionId)?.catch(() => undefined);
        return goneMeanwhile;
      }
      return seat.role() === 'writer' ? undefined : seat.forward(command);
    },
    publish(events) {
      const bySession = new Map<SessionId, EngineEvent[]>();
      for (const event of events) {
        const group = bySession.get(event.sessionId) ?? [];
        group.push(event);
        bySession.set(event.sessionId, group);
      }
      for (const [sessionId, group] of bySession) {
        const seat = live.get(sessionId);
        if (seat?.role() === 'writer') seat.publish(group);
      }
    },
    async followed(sessionId) {
      const stored = (await ports.store.events(sessionId)).events;
      const known = [...stored];
      followed.set(sessionId, known);
      return [...known];
    },
    takeOver: async (sessionId) => (await sit(sessionId)).takeOver(),
    leave(sessionId) {
      live.get(sessionId)?.leave();
      live.delete(sessionId);
      seats.delete(sessionId);
      followed.delete(sessionId);
    },
  };
}

const goneMeanwhile: CommandAnswer = {
  ok: false,
  code: 'follower',
  message: 'Another tab took this session over at this moment. Nothing was done; do it again, and it is handed to that tab.',
};

/** Commands that each tab carries out itself, whoever writes the session. */
function isLocal(command: EngineCommand): boolean {
  return command.type === 'session-open' || command.type === 'session-take-over';
}
