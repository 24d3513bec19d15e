'use client';
import { type RefObject, useEffect, useRef, useState } from 'react';
import type { UndoRequest } from '@/lib/client/undo-view';
import { useEngine } from '@/lib/client/use-engine';
import type { UndoAnswer } from '@/lib/contracts/undo';

export type Refusal = Extract<UndoAnswer, { readonly done: false }>;

/** An undo as the person goes through it: asked, under way, and perhaps refused with what they can do instead. */
export function useUndo(area: RefObject<HTMLElement | null>) {
  const engine = useEngine();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const pressed = useRef<HTMLElement | null>(null);
  const [refused, setRefused] = useState<{ readonly request: UndoRequest; readonly answer: Refusal }>();
  // While it is under way the button cannot be pressed and loses the focus: it takes it back, and where it is gone, what came in its place does.
  // The answer and the new state of the row come in any order, so the button counts as pressed until the focus is somewhere else.
  useEffect(() => {
    const button = pressed.current;
    const active = document.activeElement;
    if (busy || button === null || active === button) return;
    if (active !== document.body) {
      pressed.current = null;
      return;
    }
    const next = button.isConnected ? button : area.current?.querySelector<HTMLButtonElement>('button:not(:disabled)');
    next?.focus({ preventScroll: true });
    if (next && next !== button) pressed.current = null;
  });
  const run = async (request: UndoRequest): Promise<void> => {
    const active = document.activeElement;
    pressed.current = active instanceof HTMLElement && active !== document.body ? active : null;
    setBusy(true);
    setProblem('');
    setRefused(undefined);
    const answer = await engine.undo(request);
    setBusy(false);
    if (!answer.ok) setProblem(answer.message);
    else if (!answer.value.done) setRefused({ request, answer: answer.value });
  };
  return { busy, problem, refused, run, forget: () => setRefused(undefined) };
}
