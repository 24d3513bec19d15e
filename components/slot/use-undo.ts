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
  const pressed = useRef<Element | null>(null);
  const [refused, setRefused] = useState<{ readonly request: UndoRequest; readonly answer: Refusal }>();
  // Where the button that was pressed is gone, the focus goes to what came in its place.
  useEffect(() => {
    const button = pressed.current;
    const active = document.activeElement;
    if (busy || button === null || active === button) return;
    if (active !== document.body || button.isConnected) {
      pressed.current = null;
      return;
    }
    const next = area.current?.querySelector<HTMLButtonElement>('button:not(:disabled)');
    if (!next) return;
    pressed.current = null;
    next.focus({ preventScroll: true });
  });
  const run = async (request: UndoRequest): Promise<void> => {
    pressed.current = document.activeElement;
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
