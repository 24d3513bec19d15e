'use client';
import { connectToWorker, EngineProvider, useNewEngineClient } from '@/lib/client/use-engine';
import type { EngineHost } from '@/lib/contracts/commands';
import { Starting } from './starting';
import { Workbench } from './workbench';

/** The whole page. Rendered on the server as its first words; the engine starts in the browser. */
export function AppRoot({ connect = connectToWorker }: { readonly connect?: () => Promise<EngineHost> }) {
  const client = useNewEngineClient(connect);
  if (!client) return <Starting words="Starting the engine…" />;
  return (
    <EngineProvider value={client}>
      <Workbench />
    </EngineProvider>
  );
}
