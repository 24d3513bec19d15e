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
  /** Stores what was said here so far; settles when it is stored. */
  readonly settle: (sessionId: SessionId) => Promise<void>;
  readonly runHere: (command: EngineCommand) => Promise<CommandAnswer>;
}

/** A session that another tab writes, as far as it is known here. */
interface Followed {
  /** The number of the event that continues it. */
  next: number;
  /** What was said behind a gap. */
  held: EngineEvent[];
  isReading: boolean;
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
  const followed = new Map<SessionId, Followed>();
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
        onFollower() {
          // It reads the log from the store: what was only said has to be there, and it has to know when.
          void ports.settle(sessionId).then(() => live.get(sessionId)?.publish([]));
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
  /** Takes what continues the log without a gap. Behind a gap it waits until the store, which the writer fills in groups, has what is missing. */
  const follow = async (sessionId: SessionId, events: readonly EngineEvent[]) => {
    const known = followed.get(sessionId);
    if (known === undefined) return;
    known.held.push(...events);
    take(known, []);
    if ((events.length > 0 && known.held.length === 0) || known.isReading) return;
    known.isReading = true;
    const stored = await ports.store.events(sessionId).catch(() => undefined);
    known.isReading = false;
    if (followed.get(sessionId) === known) take(known, stored?.events ?? []);
  };
  const take = (known: Followed, stored: readonly EngineEvent[]) => {
    const fresh: EngineEvent[] = [];
    for (const event of [...stored, ...known.held].sort((a, b) => a.seq - b.seq)) {
      if (event.seq !== known.next) continue;
      fresh.push(event);
      known.next++;
    }
    known.held = known.held.filter((event) => event.seq >= known.next);
    if (fresh.length > 0) ports.show(fresh);
  };
  const tell = (sessionId: SessionId, events: readonly EngineEvent[]) => {
    const seat = live.get(sessionId);
    if (seat?.role() === 'writer') seat.publish(events);
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
      const sessionId = events[0]?.sessionId;
      // Most often one session spoke.
      if (sessionId !== undefined && events.every((event) => event.sessionId === sessionId)) return tell(sessionId, events);
      const bySession = new Map<SessionId, EngineEvent[]>();
      for (const event of events) {
        const group = bySession.get(event.sessionId) ?? [];
        group.push(event);
        bySession.set(event.sessionId, group);
      }
      for (const [own, group] of bySession) tell(own, group);
    },
    async followed(sessionId) {
      const stored = (await ports.store.events(sessionId)).events;
      followed.set(sessionId, { next: (stored.at(-1)?.seq ?? -1) + 1, held: [], isReading: false });
      return stored;
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
