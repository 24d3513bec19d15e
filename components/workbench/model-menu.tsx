'use client';
import { ChevronDown } from 'lucide-react';
import type { Ref } from 'react';
import { Button } from '@/components/ui/button';
import { Menu, MenuChoice, MenuChoices, MenuItem, MenuLabel, MenuRule } from '@/components/ui/menu';
import { useConnectedModel } from './use-connected-model';

/** Which model answers. */
export function ModelMenu({ onConnectModel, buttonRef }: { readonly onConnectModel: () => void; readonly buttonRef: Ref<HTMLButtonElement> }) {
  const { model, connected, choose } = useConnectedModel();
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
      <MenuItem onSelect={onConnectModel}>Connect a model…</MenuItem>
    </Menu>
  );
}

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : address;
}
