import type { CommandAnswer, EngineCommand } from './commands';
import type { EngineEvent } from './events';
import type { SessionId } from './ids';

/** Who writes a session: one engine at a time; the others follow. */
export type SessionRole = 'writer' | 'follower';

/** What an engine does when its seat says so. */
export interface LinkPeer {
  /** A follower became the writer, since the place was free. */
  onWriter(): void;
  /** Another engine takes over: stop, store what is known, write no more. The take-over goes on once this settles. */
  onTakenOver(): Promise<void>;
  /** As the writer: another engine came to follow. */
  onFollower(): void;
  /** As a follower: what the writer said, in groups, in order; none = all that was said is stored by now. */
  onEvents(events: readonly EngineEvent[]): void;
  /** As the writer: a follower's person gave this command. */
  onCommand(command: EngineCommand): Promise<CommandAnswer>;
}

/** One engine's place at one session. */
export interface LinkSeat {
  role(): SessionRole;
  /** As the writer: tells the followers. */
  publish(events: readonly EngineEvent[]): void;
  /** As a follower: hands a command to the writer. Rejects CodedError `no-answer` when it does not answer. */
  forward(command: EngineCommand): Promise<CommandAnswer>;
  /** Becomes the writer, whoever was; settles when it is. */
  takeOver(): Promise<void>;
  leave(): void;
}

/** The port behind which tabs find each other: Web Locks and a BroadcastChannel in the page, memory in tests and headless. */
export interface SessionLink {
  join(sessionId: SessionId, peer: LinkPeer): Promise<LinkSeat>;
}
