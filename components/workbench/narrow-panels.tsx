'use client';
import { Hand } from 'lucide-react';
import { Tabs } from 'radix-ui';
import { EditorPane } from '@/components/editor/editor-pane';
import { Conversation } from '@/components/session/conversation';
import { TerminalPane } from '@/components/terminal/terminal-pane';
import { usePage } from '@/lib/client/use-engine';
import type { PanelName } from './panels';
import { SidePanel } from './side-panel';

const names: readonly (readonly [PanelName, string])[] = [
  ['conversation', 'Conversation'],
  ['files', 'Files'],
  ['editor', 'Editor'],
  ['terminal', 'Terminal'],
];

/** The same panels as tabs, for windows below 1100 px. All stay mounted, so that nothing in them is lost. */
export function NarrowPanels({ panel, onPanel }: { readonly panel: PanelName; readonly onPanel: (panel: PanelName) => void }) {
  const waiting = usePage((page) => page.session?.approvals.length ?? 0);
  const bodies: Readonly<Record<PanelName, React.ReactNode>> = {
    conversation: <Conversation />,
    files: <SidePanel />,
    editor: <EditorPane />,
    terminal: <TerminalPane />,
  };
  return (
    <Tabs.Root value={panel} onValueChange={(value) => onPanel(value as PanelName)} className="flex h-full flex-col">
      <Tabs.List aria-label="Panels" className="flex shrink-0 border-b border-line bg-surface-1">
        {names.map(([name, label]) => (
          <Tabs.Trigger
            key={name}
            value={name}
            className="min-h-9 flex-1 border-b-2 border-transparent px-1 text-ink-2 hover:bg-surface-2 data-[state=active]:border-accent data-[state=active]:text-ink-1"
          >
            {label}
            {name === 'conversation' && waiting > 0 && panel !== 'conversation' ? (
              <>
                <Hand aria-hidden size={14} className="ml-1 inline text-ask" />
                <span className="sr-only">, waiting for you</span>
              </>
            ) : null}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      {names.map(([name]) => (
        <Tabs.Content key={name} value={name} forceMount data-place={name} tabIndex={-1} className="min-h-0 flex-1 data-[state=inactive]:hidden">
          {bodies[name]}
        </Tabs.Content>
      ))}
    </Tabs.Root>
  );
}
