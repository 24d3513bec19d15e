'use client';
import { FileDiff, FileText } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button } from '@/components/ui/button';
import { TextBlock } from '@/components/ui/text-block';
import { useEngine } from '@/lib/client/use-engine';
import { useFiles } from '@/lib/client/use-files';
import type { CallView } from '@/lib/client/view-types';
import { byteWords, durationWords } from '@/lib/client/words';
import type { ApprovalOutcome } from '@/lib/contracts/approval';
import { namedCharacters, visibleText } from '@/lib/shared/visible-text';
import { DiffView } from './diff-view';
import { RepairList } from './repair-list';
import { TraceList } from './trace-list';

/** Everything known of one call: changes, output, what the model got, input, and why it was decided so. */
export function CallDetails({ call }: { readonly call: CallView }) {
  const files = useFiles();
  const changes = call.outcome?.changes ?? [];
  const result = call.pushed?.content ?? call.outcome?.content;
  return (
    <div className="space-y-2.5">
      {changes.map((change) => (
        <Section
          key={change.path}
          title={<code>{visibleText(change.path)}</code>}
          action={
            files ? (
              <Button look="quiet" onClick={() => files.showEdit({ callId: call.callId, ...change })}>
                <FileDiff aria-hidden size={14} /> Open in the editor
              </Button>
            ) : undefined
          }
        >
          <DiffView change={change} />
        </Section>
      ))}
      {call.diagnostics && call.diagnostics.count > 0 ? <Problems diagnostics={call.diagnostics} /> : null}
      {call.output === '' ? null : (
        <Section title={call.outcome ? 'Output' : 'Output so far'}>
          {call.outputLength > call.output.length ? <p className="text-small text-ink-3">Only the newest part is shown.</p> : null}
          <TextBlock name={`Output of ${call.tool}`} text={call.output} />
        </Section>
      )}
      {call.cut?.ref ? <FullOutput call={call} /> : null}
      {result === undefined ? null : (
        <Section title={call.pushed ? 'What the model got' : 'Result'}>
          <TextBlock name={`Result of ${call.tool}`} text={result} />
        </Section>
      )}
      <Section title="Input">
        <TextBlock
          name={`Input of ${call.tool}`}
          text={call.input ? namedCharacters(JSON.stringify(call.input, null, 2)) : namedCharacters(call.argumentsText) || 'still being written…'}
        />
        {call.requestedName === call.tool ? null : (
          <p className="mt-1 text-small text-ink-2">
            The model wrote <code>{call.requestedName}</code>.
          </p>
        )}
        {call.warnings.length > 0 ? <p className="mt-1 text-small text-ink-2">Oddities of the wire: {call.warnings.join(', ')}</p> : null}
      </Section>
      {call.repairs.length > 0 ? (
        <Section title="Repairs">
          <RepairList repairs={call.repairs} />
        </Section>
      ) : null}
      {call.trace.length > 0 ? (
        <Section title="Why">
          <TraceList trace={call.trace} />
        </Section>
      ) : null}
      {call.approval?.outcome ? (
        <p className="text-small text-ink-2">
          {answerWords(call.approval.outcome)}
          {call.approval.endedAt === undefined ? '' : ` after ${durationWords(call.approval.endedAt - call.approval.request.openedAt)}`}
          {call.approval.outcome.kind === 'answered' && call.approval.outcome.words ? `: “${call.approval.outcome.words}”` : '.'}
        </p>
      ) : null}
    </div>
  );
}

function Problems({ diagnostics: { found, count } }: { readonly diagnostics: NonNullable<CallView['diagnostics']> }) {
  return (
    <Section title="Problems">
      <ul className="space-y-0.5">
        {found.map((one) => (
          <li key={`${one.path}:${one.line}:${one.column}:${one.code}`} className="wrap-anywhere">
            <code>
              {one.path}:{one.line}:{one.column}
            </code>{' '}
            {one.severity} {one.code}: {one.message}
          </li>
        ))}
      </ul>
      {count > found.length ? <p className="text-small text-ink-3">… and {count - found.length} more</p> : null}
    </Section>
  );
}

function FullOutput({ call }: { readonly call: CallView }) {
  const engine = useEngine();
  const files = useFiles();
  const [note, setNote] = useState('');
  const ref = call.cut?.ref;
  if (!ref || !files) return null;
  const open = async (): Promise<void> => {
    setNote('Reading the full output…');
    const spill = await engine.readSpill(ref);
    setNote(spill ? '' : 'It is not kept any more: outputs are kept for 7 days, and the oldest go first when room is short.');
    if (spill) files.show({ kind: 'text', id: `spill:${ref}`, title: `${call.tool} (full output)`, text: spill.text });
  };
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button onClick={() => void open()}>
        <FileText aria-hidden size={14} /> Open all {byteWords(call.cut?.totalBytes ?? 0)} in the editor
      </Button>
      <code className="text-ink-3">{ref}</code>
      <span role="status" className="text-small text-ink-2">
        {note}
      </span>
    </div>
  );
}

function Section({ title, action, children }: { readonly title: ReactNode; readonly action?: ReactNode; readonly children: ReactNode }) {
  return (
    <section>
      <div className="flex min-h-6 items-center justify-between gap-2">
        <h4 className="text-small font-semibold text-ink-2">{title}</h4>
        {action}
      </div>
      {children}
    </section>
  );
}

function answerWords(outcome: ApprovalOutcome): string {
  if (outcome.kind === 'cancelled') return 'The turn stopped while it waited for you';
  if (outcome.kind === 'covered') return outcome.decision === 'allow' ? 'An earlier answer allowed it' : 'An earlier answer denied it';
  if (outcome.kind === 'expired') return `Nobody answered within ${durationWords(outcome.afterMs)}, so it was denied`;
  if (outcome.edited) return outcome.edited.deniedBy ? 'You edited it, and a rule denied what it had become' : 'You edited it and allowed it once';
  const words = {
    once: 'You allowed it once',
    session: 'You allowed it for this session',
    always: 'You allowed it always in this workspace',
    deny: 'You denied it',
    stop: 'You stopped the turn',
  } as const;
  return words[outcome.choice];
}
