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
  const asked = useRef(false);
  const [refused, setRefused] = useState<{ readonly request: UndoRequest; readonly answer: Refusal }>();
  // The button that was pressed is gone, or was not to be pressed for a while: the focus goes to what came in its place.
  useEffect(() => {
    if (busy || !asked.current) return;
    const next = area.current?.querySelector<HTMLButtonElement>('button:not(:disabled)');
    const isLost = document.activeElement === document.body;
    if (isLost && !next) return;
    asked.current = false;
    if (isLost) next?.focus({ preventScroll: true });
  });
  const run = async (request: UndoRequest): Promise<void> => {
    asked.current = true;
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
