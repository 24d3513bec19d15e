'use client';
import { useState } from 'react';
import type { UndoRequest } from '@/lib/client/undo-view';
import { useEngine } from '@/lib/client/use-engine';
import type { UndoAnswer } from '@/lib/contracts/undo';

export type Refusal = Extract<UndoAnswer, { readonly done: false }>;

/** An undo as the person goes through it: asked, under way, and perhaps refused with what they can do instead. */
export function useUndo() {
  const engine = useEngine();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const [refused, setRefused] = useState<{ readonly request: UndoRequest; readonly answer: Refusal }>();
  const run = async (request: UndoRequest): Promise<void> => {
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
