'use client';
import { Group, Panel, Separator } from 'react-resizable-panels';
import { EditorPane } from '@/components/editor/editor-pane';
import { Conversation } from '@/components/session/conversation';
import { TerminalPane } from '@/components/terminal/terminal-pane';
import { SidePanel } from './side-panel';

export type PanelName = 'conversation' | 'files' | 'editor' | 'terminal';

/** The panels side by side, with movable borders. */
export function Panels() {
  return (
    <Group orientation="horizontal" id="workbench" className="h-full">
      <Panel id="side" defaultSize="17" minSize={160} maxSize="35" groupResizeBehavior="preserve-pixel-size">
        <aside aria-label="Files and sessions" data-place="files" className="h-full">
          <SidePanel />
        </aside>
      </Panel>
      <Separator aria-label="Width of the files panel" className="separator w-px" />
      <Panel id="centre" minSize={320}>
        <Group orientation="vertical" id="centre-rows" className="h-full">
          <Panel id="editor" defaultSize="66" minSize={120}>
            <section aria-label="Editor" data-place="editor" className="h-full">
              <EditorPane />
            </section>
          </Panel>
          <Separator aria-label="Height of the terminal" className="separator h-px" />
          <Panel id="terminal" minSize={80}>
            <section aria-label="Terminal" data-place="terminal" className="h-full">
              <TerminalPane />
            </section>
          </Panel>
        </Group>
      </Panel>
      <Separator aria-label="Width of the conversation" className="separator w-px" />
      <Panel id="conversation" defaultSize="34" minSize={320} groupResizeBehavior="preserve-pixel-size">
        <section aria-label="Agent" data-place="conversation" className="h-full">
          <Conversation />
        </section>
      </Panel>
    </Group>
  );
}
