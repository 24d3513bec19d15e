import type { EngineEvent, EngineEventBody } from '@/lib/contracts/events';
import type { Now, SessionId } from '@/lib/contracts/ids';
import type { SessionStore } from '@/lib/contracts/store';
import { messageOf } from '@/lib/shared/coded-error';

/** The one writer of a session's events: numbers them, shows them at once, and makes them durable in groups. */
export interface Recorder {
  emit(body: EngineEventBody): void;
  /** Awaits until everything emitted so far is stored. Never rejects: a failure is a notice, and what was kept back is tried again. */
  commit(): Promise<void>;
  /** Stores what was said so far and drops what comes later: the log belongs to another writer now. */
  close(): Promise<void>;
}

export interface RecorderPorts {
  readonly sessionId: SessionId;
  /** The number of the next event. */
  readonly nextSeq: number;
  readonly store: SessionStore;
  readonly now: Now;
  readonly publish: (event: EngineEvent) => void;
  /** Awaited before events are stored: a log must not say that a file changed before the change itself is durable. */
  readonly flushFiles: () => Promise<void>;
}

/** Makes the recorder of a session. */
export function createRecorder(ports: RecorderPorts): Recorder {
  let seq = ports.nextSeq;
  let at: number | undefined;
  /** What is said in one go has one time: asking the clock costs as much as saying it, and thousands of events come in a turn. */
  const time = (): number => {
    if (at !== undefined) return at;
    queueMicrotask(() => {
      at = undefined;
    });
    at = ports.now();
    return at;
  };
  let waiting: EngineEvent[] = [];
  let writing: Promise<void> = Promise.resolve();
  let warned = false;
  let filesWarned = false;
  let closed = false;
  const emit = (body: EngineEventBody) => {
    if (closed) return;
    const event = body as EngineEvent & { sessionId: SessionId; seq: number; at: number };
    // The body was made for this one event, so it is stamped in place instead of copied: thousands come in a turn.
    event.sessionId = ports.sessionId;
    event.seq = seq++;
    event.at = time();
    waiting.push(event);
    ports.publish(event);
  };
  const write = async () => {
    if (waiting.length === 0) return;
    const group = waiting;
    waiting = [];
    await ports.flushFiles().catch((error: unknown) => {
      if (filesWarned) return;
      filesWarned = true;
      emit({
        type: 'notice',
        level: 'warning',
        code: 'files-not-stored',
        text: `The files of this workspace could not be stored (${messageOf(error)}). They are here while the page stays open, and storing is tried again.`,
      });
    });
    try {
      await ports.store.append(ports.sessionId, group);
      warned = false;
    } catch (error) {
      waiting = [...group, ...waiting];
      if (warned) return;
      warned = true;
      emit({
        type: 'notice',
        level: 'warning',
        code: 'log-not-stored',
        text: `This session could not be stored (${messageOf(error)}). It goes on here; nothing shown is lost while the page stays open, and storing is tried again.`,
      });
    }
  };
  const commit = () => {
    writing = writing.then(write);
    return writing;
  };
  return {
    emit,
    commit,
    close() {
      closed = true;
      return commit();
    },
  };
}
