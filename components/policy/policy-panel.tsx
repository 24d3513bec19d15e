'use client';
import { useEffect, useState } from 'react';
import { Button } from '@/components/ui/button';
import { TextBlock } from '@/components/ui/text-block';
import type { PolicyCommands } from '@/lib/client/policy-commands';
import { policyPath, ruleLessText, starterText, viewPolicy } from '@/lib/client/policy-view';
import type { PolicyDifference, PolicyStatus } from '@/lib/contracts/policy';
import { PolicyDifferenceList } from './policy-difference-list';

interface Props {
  readonly status: PolicyStatus;
  readonly commands: PolicyCommands;
  /** Shows the file in the editor. */
  readonly onOpenFile: () => void;
}

/** Which policy decides, what is wrong with its file, what waits for a word, and the ways to change it. */
export function PolicyPanel({ status, commands, onOpenFile }: Props) {
  const view = viewPolicy(status);
  const [said, setSaid] = useState('');
  const run = async (act: () => Promise<{ readonly problem?: string }>, then?: () => void): Promise<void> => {
    const { problem } = await act();
    setSaid(problem ?? '');
    if (problem === undefined) then?.();
  };
  const write = (text: string | null, then?: () => void) => void run(() => commands.write(text), then);
  return (
    <div className="mt-3 space-y-3">
      <p>{view.sentence}</p>
      {view.problem === undefined ? null : <p className="rounded-md border-l-2 border-bad bg-bad-soft px-3 py-1.5 wrap-anywhere">{view.problem}</p>}
      {status.pending === undefined ? null : (
        <Waiting key={status.pending.fingerprint} fingerprint={status.pending.fingerprint} commands={commands} onSaid={setSaid} />
      )}
      {view.text === '' ? null : <TextBlock name="The policy in force" text={view.text} />}
      <div role="status" className={said === '' ? '' : 'rounded-md border-l-2 border-bad bg-bad-soft px-3 py-1.5 wrap-anywhere'}>
        {said}
      </div>
      <div className="flex flex-wrap justify-end gap-2">
        {view.state === 'starter' ? (
          <>
            <Button onClick={() => write(ruleLessText)}>Turn the starter policy off</Button>
            <Button onClick={() => write(starterText, onOpenFile)}>Edit it as {policyPath}</Button>
          </>
        ) : (
          <>
            {view.state === 'off' ? <Button onClick={() => write(null)}>Use the starter policy again</Button> : null}
            {status.pending?.fingerprint === 'removed' ? null : <Button onClick={onOpenFile}>Open {policyPath}</Button>}
          </>
        )}
      </div>
    </div>
  );
}

/** The file that waits: what it would change, and the button that puts it into force. */
function Waiting({
  fingerprint,
  commands,
  onSaid,
}: {
  readonly fingerprint: string;
  readonly commands: PolicyCommands;
  readonly onSaid: (words: string) => void;
}) {
  const [difference, setDifference] = useState<PolicyDifference>();
  useEffect(() => {
    let current = true;
    void commands.compare().then((answer) => {
      if (!current) return;
      if (answer.problem !== undefined) onSaid(answer.problem);
      setDifference(answer.difference);
    });
    return () => {
      current = false;
    };
  }, [commands, onSaid]);
  return (
    <section aria-label="The policy that waits" className="space-y-2 rounded-md border border-ask p-2.5">
      {difference === undefined ? <p className="text-ink-2">Comparing…</p> : <PolicyDifferenceList difference={difference} />}
      <Button disabled={difference === undefined} onClick={() => void commands.accept(fingerprint).then(({ problem }) => onSaid(problem ?? ''))}>
        Accept this policy
      </Button>
    </section>
  );
}
