'use client';
import { ChevronDown } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { Menu, MenuChoice, MenuChoices, MenuLabel, MenuRule } from '@/components/ui/menu';
import { ProblemBar } from '@/components/ui/problem-bar';
import { type Driver, runtimeLimits } from '@/lib/client/session-runtime';
import { useEngine, usePage } from '@/lib/client/use-engine';

/** Where files live and programs run, and the choice of it. */
export function RuntimeMenu() {
  const engine = useEngine();
  const runtime = usePage((page) => page.runtime);
  const ready = usePage((page) => page.phase === 'ready' && page.runtime !== undefined);
  const words = usePage((page) => page.runtimeText);
  const writes = usePage((page) => page.role === 'writer');
  const limits = runtime && runtimeLimits(runtime.info);
  const driver = runtime?.info.driver ?? '';
  return (
    <Menu
      name="Runtime"
      align="end"
      trigger={
        <Button look="quiet" aria-label={`Runtime: ${words}`} title="Where files live and programs run" className="min-w-0 max-w-72 text-small text-ink-2">
          <span aria-hidden className={`size-2 shrink-0 rounded-full ${ready ? 'bg-good' : 'border-2 border-ask'}`} />
          <span className="truncate">
            <span className="max-[700px]:sr-only">Runtime: </span>
            {words}
          </span>
          <ChevronDown aria-hidden size={14} className="shrink-0 text-ink-3" />
        </Button>
      }
    >
      <MenuLabel>Runtime</MenuLabel>
      <MenuChoices value={driver} onChange={(value) => void engine.chooseRuntime(value as Driver)}>
        <MenuChoice value="embedded">Embedded: in this browser, no network</MenuChoice>
        {writes ? <MenuChoice value="webcontainer">WebContainer: loaded from its vendor’s host</MenuChoice> : null}
      </MenuChoices>
      {limits ? <MenuRule /> : null}
      {limits ? <p className="max-w-80 px-2 py-1 text-small text-ink-2">{limits}</p> : null}
    </Menu>
  );
}

/** Why the runtime is not the one that was chosen. Dismissed, the choice is what there is. */
export function RuntimeNote() {
  const engine = useEngine();
  const note = usePage((page) => page.runtimeNote);
  const driver = usePage((page) => page.runtime?.info.driver);
  if (!note) return null;
  return (
    <ProblemBar level="warning" onDismiss={() => void engine.chooseRuntime(driver ?? 'embedded')}>
      {note}
    </ProblemBar>
  );
}
