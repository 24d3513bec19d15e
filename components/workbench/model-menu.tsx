'use client';
import { ChevronDown } from 'lucide-react';
import type { Ref } from 'react';
import { Button } from '@/components/ui/button';
import { Menu, MenuChoice, MenuChoices, MenuItem, MenuLabel, MenuRule } from '@/components/ui/menu';
import { type PracticePace, practicePaces } from '@/lib/contracts/commands';
import { useConnectedModel } from './use-connected-model';

const paceWords: Readonly<Record<PracticePace, string>> = {
  slow: 'Slow, to explain along',
  model: 'Like a quick model',
  instant: 'Without waiting',
};

/** Which model answers, and how fast practice talks. */
export function ModelMenu({ onConnectModel, buttonRef }: { readonly onConnectModel: () => void; readonly buttonRef: Ref<HTMLButtonElement> }) {
  const { model, connected, choose, pace, setPace } = useConnectedModel();
  const label = model.kind === 'practice' ? 'Practice (scripted, no AI)' : model.model;
  return (
    <Menu
      name="Model"
      trigger={
        <Button ref={buttonRef} look="quiet" aria-label={`Model: ${label}`} className="max-w-64 min-w-0">
          <span className="truncate">{label}</span>
          <ChevronDown aria-hidden size={14} className="shrink-0 text-ink-3" />
        </Button>
      }
    >
      <MenuLabel>Model</MenuLabel>
      <MenuChoices value={model.kind} onChange={(kind) => choose(kind === 'practice' ? 'practice' : 'connected')}>
        <MenuChoice value="practice">Practice (scripted, no AI)</MenuChoice>
        {connected ? (
          <MenuChoice value="connected">
            <span className="wrap-anywhere">
              {connected.model} <span className="text-ink-3">at {hostOf(connected.baseUrl)}</span>
            </span>
          </MenuChoice>
        ) : null}
      </MenuChoices>
      <MenuRule />
      {model.kind === 'practice' ? (
        <>
          <MenuLabel>Pace of practice</MenuLabel>
          <MenuChoices value={pace} onChange={(wanted) => setPace(wanted as PracticePace)}>
            {practicePaces.map((one) => (
              <MenuChoice key={one} value={one}>
                {paceWords[one]}
              </MenuChoice>
            ))}
          </MenuChoices>
          <MenuRule />
        </>
      ) : null}
      <MenuItem onSelect={onConnectModel}>Connect a model…</MenuItem>
    </Menu>
  );
}

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : address;
}
