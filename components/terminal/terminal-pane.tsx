'use client';
import { Tabs } from 'radix-ui';
import { useEffect, useState } from 'react';
import { agentCommands } from '@/lib/client/agent-commands';
import { usePage } from '@/lib/client/use-engine';
import { AgentTerminal } from './agent-terminal';
import { ShellTerminal } from './shell-terminal';

const tabLook = 'min-h-8 border-b-2 border-transparent px-3 text-ink-2 hover:bg-surface-2 data-[state=active]:border-accent data-[state=active]:text-ink-1';

/** The person's shell and, beside it, what the agent runs. */
export function TerminalPane() {
  const runtime = usePage((page) => page.runtime);
  const words = usePage((page) => page.runtimeText);
  const session = usePage((page) => page.session);
  const [tab, setTab] = useState('shell');
  const busy = session ? agentCommands(session).some((call) => call.phase === 'running') : false;
  // A running command comes into view once, when it begins; the person may leave it.
  useEffect(() => {
    if (busy) setTab('agent');
  }, [busy]);
  return (
    <Tabs.Root value={tab} onValueChange={setTab} className="flex h-full min-h-0 flex-col bg-surface-0">
      <Tabs.List aria-label="Terminals" className="flex shrink-0 border-b border-line bg-surface-1">
        <Tabs.Trigger value="shell" className={tabLook}>
          Shell
        </Tabs.Trigger>
        <Tabs.Trigger value="agent" className={tabLook}>
          Agent
          {busy ? <span className="ml-1.5 text-small text-accent">· running</span> : null}
        </Tabs.Trigger>
      </Tabs.List>
      <Tabs.Content value="shell" forceMount tabIndex={-1} className="min-h-0 flex-1 data-[state=inactive]:hidden">
        {runtime ? (
          <ShellTerminal runtime={runtime} />
        ) : (
          <p role="status" className="px-3 py-1.5 text-ink-2">
            Runtime: {words}
          </p>
        )}
      </Tabs.Content>
      <Tabs.Content value="agent" forceMount tabIndex={-1} className="min-h-0 flex-1 data-[state=inactive]:hidden">
        <AgentTerminal />
      </Tabs.Content>
    </Tabs.Root>
  );
}
