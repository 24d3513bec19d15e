import type { SessionId } from '@/lib/contracts/ids';
import type { LinkPeer, LinkSeat, SessionLink } from '@/lib/contracts/session-link';
import { CodedError } from '@/lib/shared/coded-error';

interface Place {
  readonly peer: LinkPeer;
}

/**
 * Links between engines of one process: the twin of the browser's locks and channels.
 *
 * Out    `link()`: the end of one engine. `drop(link)`: that engine died without saying so; the next in line becomes the writer.
 */
export function createMemoryLinks(): { link(): SessionLink; drop(link: SessionLink): void } {
  const lines = new Map<SessionId, Place[]>();
  const owned = new WeakMap<SessionLink, Set<Place>>();

  const leave = (sessionId: SessionId, place: Place) => {
    const line = lines.get(sessionId) ?? [];
    const wasWriter = line[0] === place;
    lines.set(
      sessionId,
      line.filter((other) => other !== place),
    );
    if (wasWriter) lines.get(sessionId)?.[0]?.peer.onWriter();
  };
  const seatAt = (sessionId: SessionId, place: Place): LinkSeat => ({
    role: () => (lines.get(sessionId)?.[0] === place ? 'writer' : 'follower'),
    publish(events) {
      for (const other of lines.get(sessionId) ?? []) if (other !== place) other.peer.onEvents(structuredClone([...events]));
    },
    async forward(command) {
      const writer = lines.get(sessionId)?.[0];
      if (writer === undefined || writer === place) throw new CodedError('no-answer', 'No other tab has this session open any more. Try again.');
      return structuredClone(await writer.peer.onCommand(structuredClone(command)));
    },
    async takeOver() {
      const writer = lines.get(sessionId)?.[0];
      if (writer === place) return;
      await writer?.peer.onTakenOver();
      const line = lines.get(sessionId) ?? [];
      lines.set(sessionId, [place, ...line.filter((other) => other !== place)]);
      place.peer.onWriter();
    },
    leave: () => leave(sessionId, place),
  });
  return {
    link() {
      const mine = new Set<Place>();
      const link: SessionLink = {
        async join(sessionId, peer) {
          const place: Place = { peer };
          mine.add(place);
          const line = lines.get(sessionId) ?? [];
          lines.set(sessionId, [...line, place]);
          line[0]?.peer.onFollower();
          return seatAt(sessionId, place);
        },
      };
      owned.set(link, mine);
      return link;
    },
    drop(link) {
      for (const place of owned.get(link) ?? []) for (const sessionId of [...lines.keys()]) leave(sessionId, place);
    },
  };
}
