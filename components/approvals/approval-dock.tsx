'use client';
import { useEffect, useState } from 'react';
import { useEngine, usePage } from '@/lib/client/use-engine';
import { ApprovalCard } from './approval-card';

/** The oldest open prompt as a card; the others wait behind it. Each is announced once. */
export function ApprovalDock() {
  const engine = useEngine();
  const approvals = usePage((page) => page.session?.approvals);
  const first = approvals?.[0];
  const [spoken, setSpoken] = useState('');
  const id = first?.approvalId;
  const words = first ? `Approval needed. ${first.title}: ${first.subject.slice(0, 200)}` : '';
  useEffect(() => {
    setSpoken(id === undefined ? '' : words);
    // The title shows that a person is waited for when the tab is in the background.
    document.title = id === undefined ? 'Gatehouse' : 'Waiting for you · Gatehouse';
  }, [id, words]);
  return (
    <>
      <p aria-live="assertive" className="sr-only">
        {spoken}
      </p>
      {first ? (
        <ApprovalCard
          key={first.approvalId}
          request={first}
          behind={(approvals?.length ?? 1) - 1}
          onAnswer={(answer) => engine.answer(answer)}
          onAnswerAll={(choice) => engine.answerAll(choice)}
          onMakeRule={async (callId) => {
            const { rule, problem } = await engine.policy.addRule(callId);
            return rule === undefined ? (problem ?? 'No session is open. Nothing was changed.') : `Added to the policy file: ${rule}`;
          }}
          onAcceptDefinition={(tool) => engine.acceptDefinition(tool)}
        />
      ) : null}
    </>
  );
}
