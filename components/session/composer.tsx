'use client';
import { SendHorizontal, Square } from 'lucide-react';
import { type KeyboardEvent, useId, useState } from 'react';
import { Button } from '@/components/ui/button';
import { useEngine, usePage } from '@/lib/client/use-engine';

/** Where a person writes to the agent. Enter or Ctrl+Enter sends, Shift+Enter begins a line, Esc stops the turn. */
export function Composer() {
  const engine = useEngine();
  const running = usePage((page) => page.running);
  const ready = usePage((page) => page.phase === 'ready' && page.session !== undefined);
  const [text, setText] = useState('');
  const [sending, setSending] = useState(false);
  const hint = useId();
  const canSend = ready && !running && !sending && text.trim() !== '';

  const send = async (): Promise<void> => {
    if (!canSend) return;
    setSending(true);
    const words = text;
    setText('');
    // What could not be sent goes back into the field.
    if (!(await engine.send(words.trim()))) setText((now) => (now === '' ? words : now));
    setSending(false);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.shiftKey || event.altKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    void send();
  };

  return (
    <div className="border-t border-line bg-surface-1 px-3 pt-2.5 pb-2">
      <textarea
        aria-label="Message"
        aria-describedby={hint}
        data-panel-focus
        value={text}
        rows={2}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
        placeholder={running ? 'Write the next message…' : 'What should the agent do?'}
        className="block field-sizing-content max-h-45 min-h-14 w-full resize-none rounded-md border border-line-strong bg-surface-0 px-3 py-2 placeholder:text-ink-3"
      />
      <div className="mt-1.5 flex min-h-7 items-center justify-between gap-2">
        <p id={hint} className="text-small text-ink-3">
          {running ? 'Esc stops the turn at once' : 'Enter sends · Shift+Enter new line'}
        </p>
        {running ? (
          <Button look="danger" onClick={() => engine.stop()}>
            <Square aria-hidden size={12} fill="currentColor" /> Stop
          </Button>
        ) : (
          <Button look="primary" disabled={!canSend} onClick={() => void send()}>
            <SendHorizontal aria-hidden size={14} /> Send
          </Button>
        )}
      </div>
    </div>
  );
}
