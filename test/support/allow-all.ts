import type { Engine } from '@/lib/engine/engine';

/** A person who allows whatever an engine asks for, once and at once. */
export function allowAll(engine: Pick<Engine, 'subscribe' | 'command'>): void {
  engine.subscribe((events) => {
    for (const event of events)
      if (event.type === 'approval-start')
        void engine.command({
          type: 'approval-answer',
          sessionId: event.sessionId,
          answer: { approvalId: event.request.approvalId, choice: 'once' },
        });
  });
}
