import type { CommandAnswer, EngineCommand } from '@/lib/contracts/commands';
import type { EngineEvent } from '@/lib/contracts/events';
import type { LinkPeer, LinkSeat, SessionLink } from '@/lib/contracts/session-link';
import { CodedError, messageOf } from '@/lib/shared/coded-error';

type Message =
  | { readonly kind: 'events'; readonly events: readonly EngineEvent[] }
  | { readonly kind: 'command'; readonly id: string; readonly command: EngineCommand }
  | { readonly kind: 'answer'; readonly id: string; readonly answer: CommandAnswer }
  | { readonly kind: 'release'; readonly id: string }
  | { readonly kind: 'released'; readonly id: string };

/** Milliseconds after which a tab that should answer is taken to be gone or stuck. */
const answerLimitMs = 15_000;
const releaseLimitMs = 5_000;

/** Links the tabs of this browser: a Web Lock a session says who writes, a BroadcastChannel carries events and commands. */
export function createWebSessionLink(): SessionLink {
  return {
    async join(sessionId, peer) {
      const name = `gatehouse-session-${sessionId}`;
      // Without locks (an insecure context) tabs cannot see each other: this one writes, and the store refuses a second writer's events.
      if (navigator.locks === undefined) return soloSeat();
      const seat = createSeat(name, peer);
      await seat.sitDown();
      return seat;
    },
  };
}

function createSeat(name: string, peer: LinkPeer): LinkSeat & { sitDown(): Promise<void> } {
  const channel = new BroadcastChannel(name);
  const leaving = new AbortController();
  const waiting = new Map<string, (message: Message) => void>();
  let isWriter = false;
  let letGo: () => void = () => {};
  const send = (message: Message) => channel.postMessage(message);

  /** Holds the lock until `letGo`; a lock that is stolen ends the role without asking. */
  const hold = () => {
    isWriter = true;
    return new Promise<void>((resolve) => {
      letGo = () => {
        isWriter = false;
        resolve();
      };
    });
  };
  const queueUp = () => {
    void navigator.locks
      .request(name, { signal: leaving.signal }, () => {
        const held = hold();
        peer.onWriter();
        return held;
      })
      .catch((error: unknown) => lost(error));
  };
  const lost = (error: unknown) => {
    if (leaving.signal.aborted || !isWriter || !(error instanceof DOMException)) return;
    isWriter = false;
    void peer.onTakenOver().then(queueUp);
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
      if (!isWriter) peer.onEvents(message.events);
    } else if (!isWriter) return;
    else if (message.kind === 'command')
      void peer
        .onCommand(message.command)
        .catch((error: unknown): CommandAnswer => ({ ok: false, code: 'failed', message: messageOf(error) }))
        .then((answer) => send({ kind: 'answer', id: message.id, answer }));
    else
      void peer.onTakenOver().finally(() => {
        letGo();
        send({ kind: 'released', id: message.id });
        queueUp();
      });
  };
  return {
    role: () => (isWriter ? 'writer' : 'follower'),
    publish: (events) => send({ kind: 'events', events }),
    async forward(command) {
      const answer = await ask({ kind: 'command', id: crypto.randomUUID(), command }, answerLimitMs);
      if (answer?.kind === 'answer') return answer.answer;
      throw new CodedError('no-answer', 'The tab that writes this session does not answer. Nothing was done. Take the session over to go on here.');
    },
    async takeOver() {
      if (isWriter) return;
      await ask({ kind: 'release', id: crypto.randomUUID() }, releaseLimitMs);
      await new Promise<void>((resolve, reject) => {
        navigator.locks
          .request(name, { steal: true }, () => {
            const held = hold();
            peer.onWriter();
            resolve();
            return held;
          })
          .catch((error: unknown) => {
            lost(error);
            reject(error);
          });
      });
    },
    leave() {
      leaving.abort();
      letGo();
      channel.close();
    },
    /** Takes the place when it is free; else stands in line. */
    sitDown: () =>
      new Promise<void>((resolve, reject) => {
        void navigator.locks
          .request(name, { ifAvailable: true }, (lock) => {
            if (lock === null) {
              queueUp();
              resolve();
              return undefined;
            }
            const held = hold();
            resolve();
            return held;
          })
          .catch((error: unknown) => {
            lost(error);
            reject(error);
          });
      }),
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
