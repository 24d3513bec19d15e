'use client';
import { ShieldCheck } from 'lucide-react';
import { useRef, useState } from 'react';
import { IconButton } from '@/components/ui/button';
import { Menu, MenuChoice, MenuChoices, MenuItem, MenuLabel, MenuRule } from '@/components/ui/menu';
import { useEngine, usePage } from '@/lib/client/use-engine';
import { GrantsDialog } from './grants-dialog';

const times = [
  { value: 'none', label: 'For as long as it takes', ms: null },
  { value: '60000', label: '1 minute, then deny', ms: 60_000 },
  { value: '300000', label: '5 minutes, then deny', ms: 300_000 },
  { value: '1800000', label: '30 minutes, then deny', ms: 1_800_000 },
] as const;

/** How long prompts wait, and what was allowed for longer. */
export function ApprovalsMenu() {
  const engine = useEngine();
  const known = usePage((page) => page.session !== undefined);
  const timeoutMs = usePage((page) => page.session?.promptTimeoutMs);
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  return (
    <>
      <Menu
        name="Approvals"
        trigger={
          <IconButton name="Approvals" ref={button} disabled={!known}>
            <ShieldCheck aria-hidden size={16} />
          </IconButton>
        }
      >
        <MenuLabel>A new prompt waits for you</MenuLabel>
        <MenuChoices
          value={timeoutMs === undefined ? 'none' : String(timeoutMs)}
          onChange={(value) => engine.setPromptTimeout(times.find((time) => time.value === value)?.ms ?? null)}
        >
          {times.map(({ value, label }) => (
            <MenuChoice key={value} value={value}>
              {label}
            </MenuChoice>
          ))}
        </MenuChoices>
        <MenuRule />
        <MenuItem onSelect={() => setOpen(true)}>What you allowed…</MenuItem>
      </Menu>
      <GrantsDialog open={open} onOpenChange={setOpen} returnTo={button} />
    </>
  );
}
