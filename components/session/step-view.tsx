'use client';
import { Brain, ChevronRight, Construction, RotateCw } from 'lucide-react';
import { memo, type ReactNode, useId, useState } from 'react';
import { BatchGroup } from '@/components/slot/batch-view';
import { CallCard } from '@/components/slot/call-card';
import { TextBlock } from '@/components/ui/text-block';
import type { BlockView, ForgeryView, StepView as Step } from '@/lib/client/view-types';
import { durationWords } from '@/lib/client/words';
import { MarkdownView } from './markdown-view';

/** One model response: what it said, then its calls, batch by batch. */
export const StepView = memo(function StepView({ step }: { readonly step: Step }) {
  const inBatches = new Set(step.batches.flatMap((batch) => batch.callIds));
  const loose = step.calls.filter((call) => !inBatches.has(call.callId));
  return (
    <div className="space-y-2">
      {step.blocks.map((block, index) => (
        <BlockRow key={`${index}:${block.kind}`} block={block} />
      ))}
      {step.calls.length > 0 ? (
        <div className="space-y-1">
          {step.batches.map((batch) => (
            <BatchGroup key={batch.batchId} batch={batch} calls={step.calls.filter((call) => batch.callIds.includes(call.callId))} />
          ))}
          {loose.length > 0 ? (
            <div className="pl-2.5">
              {loose.map((call) => (
                <CallCard key={call.callId} call={call} />
              ))}
            </div>
          ) : null}
        </div>
      ) : null}
    </div>
  );
});

function BlockRow({ block }: { readonly block: BlockView }) {
  if (block.kind === 'reasoning') return <Reasoning text={block.text} />;
  if (block.kind === 'retry') {
    return (
      <p className="flex items-start gap-2 text-ink-2">
        <RotateCw aria-hidden size={16} className="mt-0.5 shrink-0 text-ask" />
        <span>
          {block.error.message} Trying again in {durationWords(block.waitMs)} (attempt {block.attempt}).
        </span>
      </p>
    );
  }
  return (
    <div className="space-y-2">
      {pieces(block.text, block.forgeries).map((piece, index) =>
        typeof piece === 'string' ? <MarkdownView key={`${index}`} text={piece} /> : <ForgeryChip key={`${index}`} forgery={piece} />,
      )}
    </div>
  );
}

// The text is read in pieces around each chip, so that no marker has to be smuggled through it.
function pieces(text: string, forgeries: readonly ForgeryView[]): readonly (string | ForgeryView)[] {
  const out: (string | ForgeryView)[] = [];
  let from = 0;
  for (const forgery of forgeries) {
    const piece = text.slice(from, forgery.offset);
    if (piece.trim() !== '') out.push(piece);
    out.push(forgery);
    from = Math.max(from, forgery.offset);
  }
  const rest = text.slice(from);
  if (rest.trim() !== '') out.push(rest);
  return out;
}

function ForgeryChip({ forgery }: { readonly forgery: ForgeryView }) {
  return (
    <Disclosure
      title={
        <>
          <Construction aria-hidden size={14} className="shrink-0 text-block" />
          <span>a call written as text was removed</span>
        </>
      }
      className="border border-line-strong bg-surface-0"
    >
      <p className="mb-1 text-small text-ink-2">It did nothing and the model does not see it again. Shown as plain text:</p>
      <TextBlock name="Removed text" text={forgery.text} />
    </Disclosure>
  );
}

function Reasoning({ text }: { readonly text: string }) {
  return (
    <Disclosure
      title={
        <>
          <Brain aria-hidden size={14} className="shrink-0" />
          <span>Reasoning</span>
        </>
      }
    >
      <p className="border-l-2 border-line pl-3 whitespace-pre-wrap wrap-anywhere text-ink-2">{text}</p>
    </Disclosure>
  );
}

function Disclosure({ title, className = '', children }: { readonly title: ReactNode; readonly className?: string; readonly children: ReactNode }) {
  const [open, setOpen] = useState(false);
  const body = useId();
  return (
    <div>
      <button
        type="button"
        aria-expanded={open}
        aria-controls={open ? body : undefined}
        onClick={() => setOpen(!open)}
        className={`inline-flex min-h-6 items-center gap-1.5 rounded-sm px-1.5 text-small text-ink-2 hover:bg-surface-2 hover:text-ink-1 ${className}`}
      >
        {title}
        <ChevronRight aria-hidden size={14} className={`text-ink-3 transition-transform ${open ? 'rotate-90' : ''}`} />
      </button>
      {open ? (
        <div id={body} className="mt-1.5">
          {children}
        </div>
      ) : null}
    </div>
  );
}
