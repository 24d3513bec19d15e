'use client';
import { Check } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import type { AnswerReceipt, ApprovalRequest } from '@/lib/contracts/approval';
import { isJsonObject, type Json, type JsonObject } from '@/lib/shared/json';

interface Props {
  readonly request: ApprovalRequest;
  /** The receipt says why arguments that are not valid did not count. */
  readonly onAllow: (edited: JsonObject) => Promise<AnswerReceipt | undefined>;
  /** Whether the text differs from what would run. */
  readonly onDraft: (isChanged: boolean) => void;
  readonly onClose: () => void;
}

/** The arguments as text to edit: a command as it would run, anything else as JSON. Keys in the field only write. */
export function EditArguments({ request, onAllow, onDraft, onClose }: Props) {
  const input: JsonObject = isJsonObject(request.input) ? request.input : {};
  const isCommand = request.tool === 'exec_shell' && typeof input.command === 'string';
  const before = isCommand ? (input.command as string) : JSON.stringify(input, null, 2);
  const [text, setText] = useState(before);
  const [problem, setProblem] = useState('');
  const field = useRef<HTMLTextAreaElement>(null);
  const note = useId();
  useEffect(() => field.current?.focus(), []);

  const allow = async (): Promise<void> => {
    const edited = isCommand ? { ...input, command: text } : readArguments(text);
    if (typeof edited === 'string') return setProblem(edited);
    const receipt = await onAllow(edited);
    if (receipt?.counted === false) setProblem(receipt.problem ?? 'This prompt has been answered already. Nothing was changed.');
  };
  return (
    <div className="space-y-1.5" data-keeps-escape>
      <textarea
        ref={field}
        aria-label={isCommand ? 'The command, to edit' : 'The arguments as JSON, to edit'}
        aria-describedby={note}
        aria-invalid={problem === '' ? undefined : true}
        spellCheck={false}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          onDraft(event.target.value !== before);
          setProblem('');
        }}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (event.key === 'Escape') onClose();
        }}
        className="block field-sizing-content max-h-72 min-h-18 w-full rounded-md border border-line-strong bg-surface-0 px-2.5 py-1.5 font-mono text-code"
      />
      <p id={note} className="text-small wrap-anywhere text-ink-2">
        {problem === '' ? (
          `Checked and decided anew before it runs; the model is told what you changed.${text === before ? '' : ' The buttons that would run it unchanged are off meanwhile.'}`
        ) : (
          <span className="text-bad">{problem}</span>
        )}
      </p>
      <Button disabled={text === before || text.trim() === ''} onClick={() => void allow()}>
        <Check aria-hidden size={14} className="text-good" /> Allow once as edited
      </Button>
    </div>
  );
}

/** The arguments, or what is wrong with them in words. */
function readArguments(text: string): JsonObject | string {
  try {
    const value = JSON.parse(text) as Json;
    return isJsonObject(value) ? value : 'The arguments have to be one JSON object, { … }. The prompt is still open.';
  } catch (error) {
    return `This is not valid JSON: ${error instanceof Error ? error.message : String(error)}. The prompt is still open.`;
  }
}
