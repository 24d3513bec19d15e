import type { CommandAnswer, EngineCommand } from '@/lib/contracts/commands';
import type { EngineEvent } from '@/lib/contracts/events';
import type { LinkPeer, LinkSeat, SessionLink } from '@/lib/contracts/session-link';
import { CodedError, messageOf } from '@/lib/shared/coded-error';

type Message =
  | { readonly kind: 'events'; readonly events: readonly EngineEvent[] }
  | { readonly kind: 'command'; readonly id: string; readonly command: EngineCommand }
  | { readonly kind: 'answer'; readonly id: string; readonly answer: CommandAnswer }
  | { readonly kind: 'joined' }
  | { readonly kind: 'release'; readonly id: string }
  | { readonly kind: 'released'; readonly id: string };

/** Milliseconds after which a tab that should answer is taken to be gone or stuck. */
const answerLimitMs = 15_000;
const releaseLimitMs = 5_000;

/** One stay at the lock: `end` lets go; a lock that is stolen ends it without asking. `onStolen`: it was, after this tab had nothing more to write. */
interface Hold {
  readonly lasting: Promise<void>;
  end(): void;
  ended: boolean;
  onStolen?: () => void;
}

/** The part of the browser's lock manager that is needed. */
export type Locks = Pick<LockManager, 'request'>;

/** Links the tabs of this browser: a Web Lock a session says who writes, a BroadcastChannel carries events and commands. */
export function createWebSessionLink(locks: Locks | undefined = navigator.locks): SessionLink {
  return {
    async join(sessionId, peer) {
      const name = `gatehouse-session-${sessionId}`;
      // Without locks (an insecure context) tabs cannot see each other: this one writes, and the store refuses a second writer's events.
      if (locks === undefined) return soloSeat();
      const seat = createSeat(name, peer, locks);
      await seat.sitDown();
      return seat;
    },
  };
}

function createSeat(name: string, peer: LinkPeer, locks: Locks): LinkSeat & { sitDown(): Promise<void> } {
  const channel = new BroadcastChannel(name);
  const leaving = new AbortController();
  const waiting = new Map<string, (message: Message) => void>();
  /** The stay that makes this tab the writer. */
  let held: Hold | undefined;
  /** Gives up a lock that waits to be taken by the tab that asked for it. */
  let letGo = () => {};
  /** Takes this tab out of the line. */
  let withdraw = () => {};
  const send = (message: Message) => channel.postMessage(message);

  const hold = (): Hold => {
    let end = () => {};
    const lasting = new Promise<void>((resolve) => {
      end = resolve;
    });
    const mine: Hold = {
      lasting,
      ended: false,
      end() {
        mine.ended = true;
        if (held === mine) held = undefined;
        end();
      },
    };
    held = mine;
    return mine;
  };
  /** Asks for the lock; settles once it is held or it is known that it is not, and watches for it to be stolen. */
  const request = (options: LockOptions, onHeld: () => void) =>
    new Promise<boolean>((resolve, reject) => {
      let mine: Hold | undefined;
      locks
        .request(name, options, (lock) => {
          if (lock === null) return resolve(false);
          mine = hold();
          onHeld();
          resolve(true);
          return mine.lasting;
        })
        .catch((error: unknown) => {
          reject(error);
          mine?.onStolen?.();
          // Only a stay that nobody ended was taken unasked; what was withdrawn from the line never became one.
          if (mine === undefined || mine.ended || leaving.signal.aborted) return;
          mine.end();
          void peer.onTakenOver().then(queueUp);
        });
    });
  const queueUp = () => {
    if (leaving.signal.aborted || held !== undefined) return;
    withdraw();
    const line = new AbortController();
    withdraw = () => line.abort();
    request({ signal: line.signal }, () => peer.onWriter()).catch(() => undefined);
  };
  /** Writes no more, and keeps the lock until the other tab takes it: let go, it would fall to whoever stands in line, or back here. */
  const part = (mine: Hold) => {
    mine.ended = true;
    if (held === mine) held = undefined;
    const over = () => {
      letGo();
      queueUp();
    };
    // The tab that asked may be gone by now.
    const late = setTimeout(over, releaseLimitMs);
    letGo = () => {
      clearTimeout(late);
      delete mine.onStolen;
      mine.end();
      letGo = () => {};
    };
    mine.onStolen = over;
  };
  const ask = (message: Message & { readonly id: string }, limitMs: number) =>
    new Promise<Message | undefined>((resolve) => {
      const timer = setTimeout(() => {
        waiting.delete(message.id);
        resolve(undefined);
      }, limitMs);
      waiting.set(message.id, (answer) => {
        clearTimeout(timer);
        waiting.delete(message.id);
        resolve(answer);
      });
      send(message);
    });
  channel.onmessage = (event: MessageEvent<Message>) => {
    const message = event.data;
    if (message.kind === 'answer' || message.kind === 'released') waiting.get(message.id)?.(message);
    else if (message.kind === 'events') {
      if (held === undefined) peer.onEvents(message.events);
    } else if (held === undefined) return;
    else if (message.kind === 'joined') peer.onFollower();
    else if (message.kind === 'command')
      void peer
        .onCommand(message.command)
        .catch((error: unknown): CommandAnswer => ({ ok: false, code: 'failed', message: messageOf(error) }))
        .then((answer) => send({ kind: 'answer', id: message.id, answer }));
    else {
      const mine = held;
      void peer.onTakenOver().finally(() => {
        if (!mine.ended) part(mine);
        send({ kind: 'released', id: message.id });
      });
    }
  };
  return {
    role: () => (held === undefined ? 'follower' : 'writer'),
    publish: (events) => send({ kind: 'events', events }),
    async forward(command) {
      const answer = await ask({ kind: 'command', id: crypto.randomUUID(), command }, answerLimitMs);
      if (answer?.kind === 'answer') return answer.answer;
      throw new CodedError('no-answer', 'The tab that writes this session does not answer. Nothing was done. Take the session over to go on here.');
    },
    async takeOver() {
      // Out of the line first: a lock that falls to this tab by its turn must not be stolen from itself.
      withdraw();
      if (held !== undefined) return;
      letGo();
      await ask({ kind: 'release', id: crypto.randomUUID() }, releaseLimitMs);
      if (held !== undefined || leaving.signal.aborted) return;
      await request({ steal: true }, () => peer.onWriter());
    },
    leave() {
      leaving.abort();
      withdraw();
      held?.end();
      letGo();
      channel.close();
    },
    /** Takes the place when it is free; else stands in line. */
    async sitDown() {
      if (await request({ ifAvailable: true }, () => {})) return;
      queueUp();
      send({ kind: 'joined' });
    },
  };
}

function soloSeat(): LinkSeat {
  return {
    role: () => 'writer',
    publish: () => {},
    forward: () => Promise.reject(new CodedError('no-answer', 'There is no other tab to ask.')),
    takeOver: async () => {},
    leave: () => {},
  };
}
