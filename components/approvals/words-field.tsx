'use client';
import { Check, OctagonX } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button } from '@/components/ui/button';

interface Props {
  readonly onDeny: () => void;
  readonly onAllow: () => void;
  /** The words so far, without blanks around them: whoever shows the field sends them. */
  readonly onDraft: (words: string) => void;
  readonly onClose: () => void;
}

/** Words to the model, with a no or a yes. Keys in the field write words; none of them allows, denies or stops anything. */
export function WordsField({ onDeny, onAllow, onDraft, onClose }: Props) {
  const [words, setWords] = useState('');
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  const said = words.trim();
  return (
    <div className="space-y-1.5" data-keeps-escape>
      <textarea
        ref={field}
        aria-label="Words to the model"
        rows={2}
        value={words}
        placeholder="What should the model know or do instead?"
        onChange={(event) => {
          setWords(event.target.value);
          onDraft(event.target.value.trim());
        }}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (event.key === 'Escape') onClose();
        }}
        className="block w-full resize-none rounded-md border border-line-strong bg-surface-0 px-2.5 py-1.5 placeholder:text-ink-3"
      />
      <div className="flex flex-wrap gap-1.5">
        <Button disabled={said === ''} onClick={onDeny}>
          <OctagonX aria-hidden size={14} className="text-bad" /> Deny with these words
        </Button>
        <Button disabled={said === ''} onClick={onAllow}>
          <Check aria-hidden size={14} className="text-good" /> Allow once with these words
        </Button>
      </div>
    </div>
  );
}
