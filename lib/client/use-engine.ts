'use client';
import { createContext, useContext, useEffect, useState, useSyncExternalStore } from 'react';
import type { EngineHost } from '@/lib/contracts/commands';
import type { PageRuntime } from '@/lib/contracts/page-runtime';
import { createEngineClient, type EngineClient, type PageState } from './engine-client';
import { onNextFrame } from './frame';
import { lastSession, practicePaceChoice, runtimeChoice } from './preferences';

/** Loads the bridge and connects to the engine's worker; called in the browser only. */
export async function connectToWorker(): Promise<EngineHost> {
  const { connectEngine } = await import('@/lib/bridge/connect-engine');
  return connectEngine();
}

const EngineContext = createContext<EngineClient | undefined>(undefined);
export const EngineProvider = EngineContext.Provider;

/** A client that lives as long as its component. Undefined on the server and until the first effect. Both functions are called in the browser only. */
export function useNewEngineClient(connect: () => Promise<EngineHost>, makePageRuntime?: () => PageRuntime): EngineClient | undefined {
  const [client, setClient] = useState<EngineClient>();
  useEffect(() => {
    const made = createEngineClient({
      connect,
      schedule: onNextFrame,
      lastSession,
      runtimeChoice,
      practicePace: practicePaceChoice,
      ...(makePageRuntime && { pageRuntime: makePageRuntime() }),
    });
    setClient(made);
    void made.start();
    return () => made.dispose();
  }, [connect, makePageRuntime]);
  return client;
}

/** The page's engine client. Throws outside of an `EngineProvider`. */
export function useEngine(): EngineClient {
  const client = useContext(EngineContext);
  if (!client) throw new Error('useEngine needs an EngineProvider above it');
  return client;
}

/** A part of the page's state; `select` must answer the same reference for the same state. */
export function usePage<Part>(select: (state: PageState) => Part): Part {
  const client = useEngine();
  const read = (): Part => select(client.state());
  return useSyncExternalStore(client.subscribe, read, read);
}
