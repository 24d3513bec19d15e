'use client';
import { connectToWorker, EngineProvider, useNewEngineClient } from '@/lib/client/use-engine';
import type { EngineHost } from '@/lib/contracts/commands';
import type { PageRuntime } from '@/lib/contracts/page-runtime';
import { Starting } from './starting';
import { Workbench } from './workbench';

/** The whole page. Rendered on the server as its first words; the engine starts in the browser. */
export function AppRoot({
  connect = connectToWorker,
  makePageRuntime,
}: {
  readonly connect?: () => Promise<EngineHost>;
  /** A runtime that only the page can start; it is offered in the runtime menu. */
  readonly makePageRuntime?: () => PageRuntime;
}) {
  const client = useNewEngineClient(connect, makePageRuntime);
  if (!client) return <Starting words="Starting the engine…" />;
  return (
    <EngineProvider value={client}>
      <Workbench />
    </EngineProvider>
  );
}
