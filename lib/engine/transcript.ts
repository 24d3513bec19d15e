import type { EngineEvent, EngineEventBody } from '@/lib/contracts/events';
import type { AgentId } from '@/lib/contracts/ids';
import type { AssistantBlock, Message } from '@/lib/contracts/message';

/** The history of a session: the fold of its `message-push` events. */
export interface Transcript {
  push(message: Message): void;
  /** As it was; the wire's encoder makes it valid for its provider (`shared/valid-history`). */
  history(): readonly Message[];
  /** Calls of the last message that have no result yet. */
  unanswered(): readonly Extract<AssistantBlock, { kind: 'call' }>[];
}

/** Rebuilds the transcript of an agent from events; every push is emitted, so that the log alone holds it. Absent `agent` = the session's own. */
export function createTranscript(events: readonly EngineEvent[], emit: (body: EngineEventBody) => void, agent?: AgentId): Transcript {
  const messages: Message[] = [];
  for (const event of events) if (event.type === 'message-push' && event.agent === agent) messages.push(event.message);
  return {
    push(message) {
      messages.push(message);
      emit(agent === undefined ? { type: 'message-push', message } : { type: 'message-push', message, agent });
    },
    history: () => [...messages],
    unanswered() {
      const last = messages.at(-1);
      return last?.role === 'assistant' ? last.blocks.filter((block) => block.kind === 'call') : [];
    },
  };
}
