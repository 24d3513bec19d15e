import { createInterface } from 'node:readline';
import type { ApprovalChoice, ApprovalRequest } from '@/lib/contracts/approval';
import type { EngineCommand } from '@/lib/contracts/commands';
import type { EngineEvent } from '@/lib/contracts/events';

/** Answers prompts as a flag says: all yes, all no, or by asking at the terminal (without one: no). */
export function answerer(approve: 'all' | 'none' | 'ask', send: (command: EngineCommand) => void): { take(event: EngineEvent): void; close(): void } {
  const terminal = approve === 'ask' && process.stdin.isTTY ? createInterface({ input: process.stdin, output: process.stderr }) : undefined;
  const queue: (() => Promise<void>)[] = [];
  let asking = false;
  const answer = (event: EngineEvent, request: ApprovalRequest, choice: ApprovalChoice, words?: string) =>
    send({ type: 'approval-answer', sessionId: event.sessionId, answer: { approvalId: request.approvalId, choice, ...(words === undefined || words === '' ? {} : { words }) } });
  const next = async () => {
    if (asking) return;
    asking = true;
    for (let ask = queue.shift(); ask !== undefined; ask = queue.shift()) await ask();
    asking = false;
  };
  const question = (text: string) => new Promise<string>((resolve) => terminal?.question(text, resolve));
  return {
    take(event) {
      if (event.type !== 'approval-start') return;
      const { request } = event;
      if (approve === 'all') answer(event, request, 'once');
      else if (terminal === undefined) answer(event, request, 'deny', approve === 'ask' ? 'nobody is at a terminal to ask' : undefined);
      else {
        queue.push(async () => {
          const said = (await question(`\n${request.title}\n  ${request.subject}\n[y]es once, for the [s]ession, s[t]op, or words for no: `)).trim();
          if (said === 'y' || said === 'yes') answer(event, request, 'once');
          else if (said === 's') answer(event, request, 'session');
          else if (said === 't') answer(event, request, 'stop');
          else answer(event, request, 'deny', said === 'n' || said === 'no' ? undefined : said);
        });
        void next();
      }
    },
    close: () => terminal?.close(),
  };
}
