import { expect, it } from 'vitest';
import type { ApprovalRequest } from '@/lib/contracts/approval';
import type { CallId, TurnId } from '@/lib/contracts/ids';
import type { Verdict } from '@/lib/contracts/policy';
import { createApprovalDesk } from '@/lib/pipeline/4-execute/approval-desk';

it('cl-24: an answer to all is for the prompts of that turn; a forgotten one of an earlier turn stays open and unanswered', async () => {
  const ended: string[] = [];
  const remembered: string[] = [];
  const desk = createApprovalDesk({
    emit: (event) => event.type === 'approval-end' && ended.push(`${event.callId} ${event.outcome.kind}`),
    remember: (request) => void remembered.push(request.callId),
    stopTurn: () => undefined,
    clock: { after: () => () => undefined },
    timeoutMs: () => undefined,
  });
  const asks: Verdict = { decision: 'ask', level: 'required', trace: [] };
  const open = (callId: string, turnId: string) =>
    desk.open({ approvalId: `of-${callId}`, callId, turnId, choices: ['once', 'session', 'deny', 'stop'] } as unknown as ApprovalRequest, {
      decideAgain: () => asks,
      edit: () => ({ problem: 'not now' }),
    });
  open('forgotten', 'turn-1');
  open('one', 'turn-2');
  open('two', 'turn-2');
  expect(await desk.answerAll('turn-2' as TurnId, 'session')).toBe(2);
  expect([ended, remembered, desk.pending().map(({ callId }) => callId)]).toEqual([['one answered', 'two answered'], ['one', 'two'], ['forgotten']]);
  expect(await Promise.race([desk.outcome('forgotten' as CallId), Promise.resolve('still open')])).toBe('still open');
});
