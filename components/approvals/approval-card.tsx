'use client';
import { Check, CheckCheck, ChevronRight, CircleSlash, Hand, MessageSquareX, OctagonX } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { DiffView } from '@/components/slot/diff-view';
import { RepairList } from '@/components/slot/repair-list';
import { TraceList } from '@/components/slot/trace-list';
import { Button } from '@/components/ui/button';
import { TextBlock } from '@/components/ui/text-block';
import type { ApprovalAnswer, ApprovalChoice, ApprovalRequest } from '@/lib/contracts/approval';
import { visibleText } from '@/lib/shared/visible-text';
import { CommandParts } from './command-parts';
import { usePromptGuard } from './use-prompt-guard';

interface Props {
  readonly request: ApprovalRequest;
  /** Prompts that wait behind this one. */
  readonly behind: number;
  readonly onAnswer: (answer: ApprovalAnswer) => void;
  readonly onAnswerAll: (choice: 'once' | 'deny') => void;
}

/** One prompt: what would run, why it asks, and the choices. Focus opens on Deny; nothing that allows is ever pre-selected. */
export function ApprovalCard({ request, behind, onAnswer, onAnswerAll }: Props) {
  const area = useRef<HTMLElement>(null);
  const deny = useRef<HTMLButtonElement>(null);
  const [wording, setWording] = useState(false);
  const [more, setMore] = useState(false);
  const moreId = useId();
  usePromptGuard(area);
  useEffect(() => {
    const before = document.activeElement;
    deny.current?.focus({ preventScroll: true });
    return () => {
      // Focus goes back to where the person was, if the card still held it.
      if (before instanceof HTMLElement && before.isConnected && (document.activeElement === document.body || area.current?.contains(document.activeElement)))
        before.focus({ preventScroll: true });
    };
  }, []);
  const choose = (choice: ApprovalChoice): void => onAnswer({ approvalId: request.approvalId, choice });
  const offers = (choice: ApprovalChoice): boolean => request.choices.includes(choice);
  const deciding = request.trace.find((entry) => entry.decided);
  // The path alone would say the same thing twice.
  const isOneChange = request.changes.length === 1 && request.changes[0]?.path === request.subject;

  return (
    <section
      ref={area}
      aria-label={`Approval: ${request.title}`}
      className="flex max-h-[min(70vh,36rem)] min-h-0 shrink flex-col border-t-2 border-ask bg-surface-0"
    >
      <div className="min-h-0 flex-1 space-y-2.5 overflow-y-auto px-3 pt-2.5">
        <div className="flex items-start gap-2">
          <Hand aria-hidden size={18} className="mt-px shrink-0 text-ask" />
          <h2 className="min-w-0 flex-1 text-title font-semibold wrap-anywhere">{request.title}</h2>
          {behind > 0 ? <span className="shrink-0 text-small text-ink-2">{behind === 1 ? '1 more waits' : `${behind} more wait`}</span> : null}
        </div>
        {isOneChange ? null : <TextBlock name="What would run" text={visibleText(request.subject)} className="bg-surface-1" />}
        {request.parts === undefined ? null : <CommandParts parts={request.parts} />}
        {request.changes.map((change) => (
          <div key={change.path}>
            <p className="pb-1 text-small text-ink-2">
              Would change <code className="text-ink-1">{change.path}</code>
            </p>
            <DiffView change={change} />
          </div>
        ))}
        {request.repairs.length > 0 ? <RepairList repairs={request.repairs} /> : null}
        {deciding ? (
          <p className="text-ink-2">
            Why it asks: {deciding.evidence}{' '}
            <span className="whitespace-nowrap text-ink-3">
              (rule <strong className="font-mono text-code font-semibold text-ink-1">{deciding.rule}</strong>)
            </span>
          </p>
        ) : null}
        <div>
          <button
            type="button"
            aria-expanded={more}
            aria-controls={more ? moreId : undefined}
            onClick={() => setMore(!more)}
            className="inline-flex min-h-6 items-center gap-1 rounded-sm px-1 text-small text-ink-2 hover:bg-surface-2"
          >
            <ChevronRight aria-hidden size={14} className={`transition-transform ${more ? 'rotate-90' : ''}`} />
            More: the whole input and every rule
          </button>
          {more ? (
            <div id={moreId} className="mt-1.5 space-y-2.5">
              <TextBlock name="Input" text={JSON.stringify(request.input, null, 2)} />
              <TraceList trace={request.trace} />
            </div>
          ) : null}
        </div>
      </div>
      <div className="shrink-0 space-y-2 px-3 pt-2 pb-2.5">
        <div className="flex flex-wrap items-center gap-1.5">
          {/* Focused by the page, so the ring is drawn also after a mouse was used. */}
          <Button ref={deny} className="focus:outline-2 focus:-outline-offset-2 focus:outline-accent" onClick={() => choose('deny')}>
            <OctagonX aria-hidden size={14} className="text-bad" /> Deny
          </Button>
          {offers('once') ? (
            <Button onClick={() => choose('once')}>
              <Check aria-hidden size={14} className="text-good" /> Allow once
            </Button>
          ) : null}
          {offers('session') ? (
            <Button onClick={() => choose('session')} aria-describedby={`${moreId}-covers`}>
              <CheckCheck aria-hidden size={14} className="text-good" /> Allow for this session
            </Button>
          ) : null}
          {offers('always') ? (
            <Button onClick={() => choose('always')} aria-describedby={`${moreId}-covers`}>
              <CheckCheck aria-hidden size={14} className="text-good" /> Allow always in this workspace
            </Button>
          ) : null}
          <Button look="quiet" aria-expanded={wording} onClick={() => setWording(!wording)}>
            <MessageSquareX aria-hidden size={14} /> Deny with words…
          </Button>
          {offers('stop') ? (
            <Button look="quiet" onClick={() => choose('stop')}>
              <CircleSlash aria-hidden size={14} /> Stop the turn
            </Button>
          ) : null}
        </div>
        {offers('session') || offers('always') ? (
          <p id={`${moreId}-covers`} className="text-small wrap-anywhere text-ink-2">
            For this session: {request.grantCovers}
          </p>
        ) : null}
        {wording ? (
          <WordsField onSend={(words) => onAnswer({ approvalId: request.approvalId, choice: 'deny', words })} onClose={() => setWording(false)} />
        ) : null}
        {behind > 0 ? (
          <div className="flex flex-wrap items-center gap-1.5 border-t border-line pt-2">
            <Button onClick={() => onAnswerAll('deny')}>Deny all {behind + 1}</Button>
            <Button onClick={() => onAnswerAll('once')}>Allow all {behind + 1} once</Button>
          </div>
        ) : null}
      </div>
    </section>
  );
}

// Keys in this field write words; none of them allows, denies or stops anything.
function WordsField({ onSend, onClose }: { readonly onSend: (words: string) => void; readonly onClose: () => void }) {
  const [words, setWords] = useState('');
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <div className="space-y-1.5" data-keeps-escape>
      <textarea
        ref={field}
        aria-label="Words to the model"
        rows={2}
        value={words}
        placeholder="What should the model know or do instead?"
        onChange={(event) => setWords(event.target.value)}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (event.key === 'Escape') onClose();
        }}
        className="block w-full resize-none rounded-md border border-line-strong bg-surface-0 px-2.5 py-1.5 placeholder:text-ink-3"
      />
      <Button disabled={words.trim() === ''} onClick={() => onSend(words.trim())}>
        <OctagonX aria-hidden size={14} className="text-bad" /> Deny with these words
      </Button>
    </div>
  );
}
