'use client';
import { Check, CheckCheck, ChevronRight, CircleSlash, Hand, MessageSquareX, OctagonX, PencilLine } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { PolicyDifferenceList } from '@/components/policy/policy-difference-list';
import { DiffView } from '@/components/slot/diff-view';
import { RepairList } from '@/components/slot/repair-list';
import { TraceList } from '@/components/slot/trace-list';
import { Button } from '@/components/ui/button';
import { TextBlock } from '@/components/ui/text-block';
import { useBorrowedFocus } from '@/components/ui/use-borrowed-focus';
import type { AnswerReceipt, ApprovalAnswer, ApprovalChoice, ApprovalRequest } from '@/lib/contracts/approval';
import type { CallId } from '@/lib/contracts/ids';
import { visibleText } from '@/lib/shared/visible-text';
import { CommandParts } from './command-parts';
import { EditArguments } from './edit-arguments';
import { OutsideList, WhyItAsks } from './evidence';
import { MakeRule } from './make-rule';
import { ScopeWords } from './scope-words';
import { usePromptGuard } from './use-prompt-guard';
import { WordsField } from './words-field';

/** UTF-16 units of a subject, and parts of a command, that stand on the card at once. */
const SHOWN_UNITS = 2_000;
const SHOWN_PARTS = 40;

interface Props {
  readonly request: ApprovalRequest;
  /** Prompts that wait behind this one. */
  readonly behind: number;
  readonly onAnswer: (answer: ApprovalAnswer) => Promise<AnswerReceipt | undefined>;
  readonly onAnswerAll: (choice: 'once' | 'deny') => void;
  readonly onAcceptDefinition: (tool: string) => void;
  /** Answers the rule in words, or why there is none. */
  readonly onMakeRule: (callId: CallId) => Promise<string>;
}

/** One prompt: what would run, why it asks, and the choices. Focus opens on Deny; nothing that allows is ever pre-selected. */
export function ApprovalCard({ request, behind, onAnswer, onAnswerAll, onAcceptDefinition, onMakeRule }: Props) {
  const area = useRef<HTMLElement>(null);
  const deny = useRef<HTMLButtonElement>(null);
  const moreButton = useRef<HTMLButtonElement>(null);
  const [field, setField] = useState<'words' | 'edit' | undefined>(undefined);
  /** What stands in an open field: arguments that were changed, or words. */
  const [draft, setDraft] = useState<{ readonly edited?: true; readonly words?: string }>({});
  const [more, setMore] = useState(false);
  const [whole, setWhole] = useState(false);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const moreId = useId();
  usePromptGuard(area);
  useBorrowedFocus(area, () => deny.current, 'always');
  // What was asked for would open below what can be seen.
  useEffect(() => {
    if (more) moreButton.current?.scrollIntoView({ block: 'start' });
  }, [more]);
  const { approvalId, subject, parts = [] } = request;
  const choose = (choice: ApprovalChoice): void => {
    const forParts = chosen.size > 0 && (choice === 'session' || choice === 'always') ? { parts: [...chosen] } : {};
    // Words that were written are meant for the model, whichever button sends them.
    const withWords = draft.words !== undefined && (choice === 'deny' || choice === 'once') ? { words: draft.words } : {};
    void onAnswer({ approvalId, choice, ...forParts, ...withWords });
  };
  const offers = (choice: ApprovalChoice): boolean => request.choices.includes(choice);
  const show = (wanted: 'words' | 'edit' | undefined): void => {
    setField(wanted);
    setDraft({});
  };
  const toggle = (wanted: 'words' | 'edit') => show(field === wanted ? undefined : wanted);
  // The path alone would say the same thing twice.
  const isOneChange = request.changes.length === 1 && request.changes[0]?.path === subject;
  const isLong = !isOneChange && (subject.length > SHOWN_UNITS || parts.length > SHOWN_PARTS);
  // What was not shown cannot be allowed for longer than once.
  const longer = (choice: 'session' | 'always') => offers(choice) && (!isLong || whole);

  return (
    <section
      ref={area}
      aria-label={`Approval: ${visibleText(request.title)}`}
      className="flex max-h-[min(70vh,36rem)] min-h-0 shrink flex-col border-t-2 border-ask bg-surface-0"
    >
      <div className="min-h-0 flex-1 space-y-2.5 overflow-y-auto px-3 pt-2.5">
        <div className="flex items-start gap-2">
          <Hand aria-hidden size={18} className="mt-px shrink-0 text-ask" />
          <h2 className="min-w-0 flex-1 text-title font-semibold wrap-anywhere">{visibleText(request.title)}</h2>
          {behind > 0 ? <span className="shrink-0 text-small text-ink-2">{behind === 1 ? '1 more waits' : `${behind} more wait`}</span> : null}
        </div>
        {request.agent === undefined ? null : <p className="text-small text-ink-2">A subagent asks: {request.agent}</p>}
        {isOneChange ? null : (
          <TextBlock
            name="What would run"
            text={visibleText(isLong && !whole ? `${subject.slice(0, SHOWN_UNITS)}${subject.length > SHOWN_UNITS ? '…' : ''}` : subject)}
            className="bg-surface-1"
          />
        )}
        {isLong && !whole ? (
          <div className="flex flex-wrap items-center gap-2">
            <Button onClick={() => setWhole(true)}>Show the whole of it</Button>
            <span className="text-small text-ink-2">
              {subject.length.toLocaleString('en')} characters{parts.length > 1 ? `, ${parts.length} parts` : ''}. More than once can be allowed only for what
              was shown.
            </span>
          </div>
        ) : null}
        <CommandParts
          parts={parts}
          covers={request.partCovers}
          chosen={chosen}
          all={whole}
          {...(longer('session') || longer('always')
            ? { onChoose: (text: string, on: boolean) => setChosen(new Set(on ? [...chosen, text] : [...chosen].filter((other) => other !== text))) }
            : {})}
        />
        {request.changes.map((change) => (
          <div key={change.path}>
            <p className="pb-1 text-small text-ink-2">
              Would change <code className="text-ink-1">{visibleText(change.path)}</code>
            </p>
            <DiffView change={change} />
          </div>
        ))}
        {request.repairs.length > 0 ? <RepairList repairs={request.repairs} /> : null}
        {request.outside === undefined || request.outside.length === 0 ? null : <OutsideList outside={request.outside} />}
        {request.policyDifference === undefined ? null : <PolicyDifferenceList difference={request.policyDifference} />}
        <WhyItAsks trace={request.trace} />
        {request.definitionChanged ? (
          <div className="space-y-1">
            <p className="text-ink-2">
              You allowed this before, but its server sends another definition of {request.tool} now, so what you allowed does not hold. The model still sees
              the old one.
            </p>
            <Button onClick={() => onAcceptDefinition(request.tool)}>Accept the new definition</Button>
          </div>
        ) : null}
        <div>
          <button
            type="button"
            ref={moreButton}
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
              <TextBlock name="Input" text={visibleText(JSON.stringify(request.input, null, 2))} />
              <TraceList trace={request.trace} />
              {longer('always') ? <MakeRule callId={request.callId} onMakeRule={onMakeRule} /> : null}
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
            <Button disabled={draft.edited} onClick={() => choose('once')}>
              <Check aria-hidden size={14} className="text-good" /> Allow once
            </Button>
          ) : null}
          {longer('session') ? (
            <Button disabled={draft.edited} onClick={() => choose('session')} aria-describedby={`${moreId}-covers`}>
              <CheckCheck aria-hidden size={14} className="text-good" /> Allow for this session
            </Button>
          ) : null}
          {longer('always') ? (
            <Button disabled={draft.edited} onClick={() => choose('always')} aria-describedby={`${moreId}-covers`}>
              <CheckCheck aria-hidden size={14} className="text-good" /> Allow always in this workspace
            </Button>
          ) : null}
          {offers('once') ? (
            <Button look="quiet" aria-expanded={field === 'edit'} onClick={() => toggle('edit')}>
              <PencilLine aria-hidden size={14} /> Edit…
            </Button>
          ) : null}
          <Button look="quiet" aria-expanded={field === 'words'} onClick={() => toggle('words')}>
            <MessageSquareX aria-hidden size={14} /> Deny with words…
          </Button>
          {offers('stop') ? (
            <Button look="quiet" onClick={() => choose('stop')}>
              <CircleSlash aria-hidden size={14} /> Stop the turn
            </Button>
          ) : null}
        </div>
        {longer('session') || longer('always') ? <ScopeWords id={`${moreId}-covers`} request={request} chosen={chosen} /> : null}
        {field === 'words' ? (
          <WordsField
            onDeny={() => choose('deny')}
            onAllow={() => choose('once')}
            onDraft={(words) => setDraft(words === '' ? {} : { words })}
            onClose={() => show(undefined)}
          />
        ) : null}
        {field === 'edit' ? (
          <EditArguments
            request={request}
            onAllow={(edited) => onAnswer({ approvalId, choice: 'once', edited })}
            onDraft={(isChanged) => setDraft(isChanged ? { edited: true } : {})}
            onClose={() => show(undefined)}
          />
        ) : null}
        {behind > 0 ? (
          <div className="flex flex-wrap items-center gap-1.5 border-t border-line pt-2">
            <Button onClick={() => onAnswerAll('deny')}>Deny all {behind + 1}</Button>
            <Button disabled={draft.edited} onClick={() => onAnswerAll('once')}>
              Allow all {behind + 1} once
            </Button>
          </div>
        ) : null}
      </div>
    </section>
  );
}
