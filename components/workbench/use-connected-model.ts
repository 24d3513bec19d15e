'use client';
import { useEffect, useState } from 'react';
import { useEngine, usePage } from '@/lib/client/use-engine';
import type { ModelChoice, PracticePace } from '@/lib/contracts/commands';

/** The model in use, and the one that was connected in this visit, if any. */
export function useConnectedModel() {
  const engine = useEngine();
  const model = usePage((page) => page.model);
  const [connected, setConnected] = useState<Extract<ModelChoice, { kind: 'connected' }>>();
  useEffect(() => {
    if (model.kind === 'connected') setConnected(model);
  }, [model]);
  return {
    model,
    connected: model.kind === 'connected' ? model : connected,
    choose: (choice: 'practice' | 'connected') => void engine.chooseModel(choice),
    pace: usePage((page) => page.practicePace),
    setPace: (pace: PracticePace) => engine.pacePractice(pace),
  };
}
