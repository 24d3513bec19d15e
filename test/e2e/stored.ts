import type { Page } from '@playwright/test';
import type { EngineEvent, EngineEventType } from '@/lib/contracts/events';
import type { Message } from '@/lib/contracts/message';

export type EventOf<Type extends EngineEventType> = Extract<EngineEvent, { type: Type }>;

/** Every record of a store of the page's database, in key order. */
export async function storedRecords(page: Page, store: string): Promise<readonly unknown[]> {
  return page.evaluate(
    (name) =>
      new Promise<unknown[]>((resolve, reject) => {
        const opening = indexedDB.open('gatehouse');
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const database = opening.result;
          const request = database.transaction(name).objectStore(name).getAll();
          request.onerror = () => reject(request.error);
          request.onsuccess = () => {
            database.close();
            resolve(request.result);
          };
        };
      }),
    store,
  );
}

/** The stored events of the session that is open, in order. */
export async function storedEvents(page: Page): Promise<readonly EngineEvent[]> {
  const sessionId = await page.evaluate(() => localStorage.getItem('gatehouse.session'));
  const events = (await storedRecords(page, 'events')) as readonly EngineEvent[];
  return events.filter((event) => event.sessionId === sessionId);
}

export function eventsOf<Type extends EngineEventType>(events: readonly EngineEvent[], type: Type): readonly EventOf<Type>[] {
  return events.filter((event): event is EventOf<Type> => event.type === type);
}

/** The transcript that the events fold to. */
export function transcriptOf(events: readonly EngineEvent[]): readonly Message[] {
  return eventsOf(events, 'message-push').map((event) => event.message);
}

/**
 * What is wrong with a log; an empty list when every rule holds.
 *
 * Out    sentences about: gaps in the numbering, a call without exactly one result in its place, a result given twice, an
 *        approval stored after its call began, a body that began twice.
 */
export function faultsOf(events: readonly EngineEvent[]): readonly string[] {
  const faults: string[] = [];
  events.forEach((event, index) => {
    if (event.seq !== index) faults.push(`event ${index} is numbered ${event.seq}`);
  });
  const messages = transcriptOf(events);
  messages.forEach((message, index) => {
    if (message.role !== 'assistant') return;
    const calls = message.blocks.flatMap((block) => (block.kind === 'call' ? [block.callId] : []));
    if (calls.length === 0) return;
    const next = messages[index + 1];
    const results = next?.role === 'tool' ? next.results.map((result) => result.callId) : [];
    if (calls.join() !== results.join()) faults.push(`message ${index} asks ${calls.join()} and is answered ${results.join() || 'by nothing'}`);
  });
  for (const type of ['call-settled', 'result-push', 'call-start'] as const) {
    const ids = eventsOf(events, type).map((event) => event.callId);
    for (const id of new Set(ids.filter((callId, index) => ids.indexOf(callId) !== index))) faults.push(`${type} twice for ${id}`);
  }
  for (const prompt of eventsOf(events, 'approval-start')) {
    const { callId, approvalId } = prompt.request;
    const answer = eventsOf(events, 'approval-end').find((event) => event.approvalId === approvalId);
    const begun = eventsOf(events, 'call-start').find((event) => event.callId === callId);
    if (begun && (!answer || answer.seq > begun.seq)) faults.push(`${callId} began before its approval was stored`);
    if (!answer) faults.push(`the prompt for ${callId} never ended`);
  }
  return faults;
}

/** Tools and outcomes in call order: `exec_shell ok`. */
export function callsAndOutcomes(events: readonly EngineEvent[]): readonly string[] {
  const settled = new Map(eventsOf(events, 'call-settled').map((event) => [event.callId, event.outcome.status]));
  return transcriptOf(events).flatMap((message) =>
    message.role === 'assistant'
      ? message.blocks.flatMap((block) => (block.kind === 'call' ? [`${block.name} ${settled.get(block.callId) ?? 'open'}`] : []))
      : [],
  );
}
