'use client';
import { useCallback, useEffect, useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import { ProblemBar } from '@/components/ui/problem-bar';
import { useMedia } from '@/components/ui/use-media';
import { useEngine, usePage } from '@/lib/client/use-engine';
import { FilesProvider, useNewFiles } from '@/lib/client/use-files';
import { ConnectModelDialog } from './connect-model-dialog';
import { NarrowPanels } from './narrow-panels';
import { type PanelName, Panels } from './panels';
import { Starting } from './starting';
import { TopBar } from './top-bar';
import { useAgentEdits } from './use-agent-edits';
import { useShortcuts } from './use-shortcuts';

/** The running page: top bar, panels, and the bar that says when the engine died. */
export function Workbench() {
  const engine = useEngine();
  const phase = usePage((page) => page.phase);
  const phaseText = usePage((page) => page.phaseText);
  const runtime = usePage((page) => page.runtime);
  const storageNote = usePage((page) => page.storageNote);
  const hasSession = usePage((page) => page.session !== undefined);
  const files = useNewFiles(
    runtime,
    usePage((page) => page.session?.sessionId),
    engine.policy.write,
  );
  const wide = useMedia('(min-width: 1100px)', true);
  const [connecting, setConnecting] = useState(false);
  const modelButton = useRef<HTMLButtonElement>(null);
  const [panel, setPanel] = useState<PanelName>('conversation');
  const page = useRef<HTMLDivElement>(null);
  const showPanel = useCallback((name: PanelName) => setPanel(name), []);
  useShortcuts({ page, onStop: () => engine.stop(), onPanel: showPanel });
  useAgentEdits(files);
  // In the narrow layout what the person opens brings its panel forward; what the agent edits does not.
  useEffect(() => {
    if (!files) return;
    let asked = files.state().asked;
    return files.subscribe(() => {
      if (files.state().asked === asked) return;
      asked = files.state().asked;
      setPanel('editor');
    });
  }, [files]);

  if (phase === 'starting' && !hasSession) return <Starting words={phaseText} />;
  const down = phase === 'crashed' || phase === 'failed';
  return (
    <FilesProvider value={files}>
      <div ref={page} className="flex h-full min-h-0 flex-col">
        <TopBar onConnectModel={() => setConnecting(true)} modelButton={modelButton} />
        {down ? (
          <ProblemBar>
            <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <span>{phaseText}</span>
              <Button onClick={() => void engine.restart()}>Restart the engine</Button>
            </span>
          </ProblemBar>
        ) : null}
        {storageNote === undefined ? null : (
          <ProblemBar level="warning" onDismiss={() => engine.dismissStorageNote()}>
            {storageNote}
          </ProblemBar>
        )}
        <main className="min-h-0 flex-1">{wide ? <Panels /> : <NarrowPanels panel={panel} onPanel={setPanel} />}</main>
        <ConnectModelDialog open={connecting} onOpenChange={setConnecting} returnTo={modelButton} />
      </div>
    </FilesProvider>
  );
}
