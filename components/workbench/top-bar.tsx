'use client';
import { Monitor, Moon, Sun } from 'lucide-react';
import { type Ref, useEffect, useState } from 'react';
import { ApprovalsMenu } from '@/components/approvals/approvals-menu';
import { PolicyDialog } from '@/components/policy/policy-dialog';
import { IconButton } from '@/components/ui/button';
import { Menu, MenuChoice, MenuChoices, MenuLabel } from '@/components/ui/menu';
import { type Theme, themeChoice } from '@/lib/client/preferences';
import { usePage } from '@/lib/client/use-engine';
import { tokenWords } from '@/lib/client/words';
import { ModeSwitch } from './mode-switch';
import { ModelMenu } from './model-menu';
import { RuntimeMenu, RuntimeNote } from './runtime-menu';
import { SessionMenu } from './session-menu';

/** Which session, which mode, which model, and how the runtime does. */
export function TopBar({ onConnectModel, modelButton }: { readonly onConnectModel: () => void; readonly modelButton: Ref<HTMLButtonElement> }) {
  return (
    <>
      <header className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-surface-1 px-3 py-1">
        <h1 className="font-semibold max-[1099px]:sr-only">Gatehouse</h1>
        <SessionMenu />
        <ModeSwitch />
        <ApprovalsMenu />
        <PolicyDialog />
        <ModelMenu onConnectModel={onConnectModel} buttonRef={modelButton} />
        <span className="ml-auto flex items-center gap-3">
          <RuntimeMenu />
          <Tokens />
          <ThemeMenu />
        </span>
      </header>
      <RuntimeNote />
    </>
  );
}

function Tokens() {
  const tokens = usePage((page) => page.session?.tokens);
  if (!tokens || tokens.input + tokens.output === 0) return null;
  return (
    <span className="text-small text-ink-2 max-[700px]:hidden" title="Tokens of this session, as the model counts them">
      {tokenWords(tokens.input)} in · {tokenWords(tokens.output)} out
    </span>
  );
}

const themeIcons = { system: Monitor, light: Sun, dark: Moon } as const;

function ThemeMenu() {
  const [theme, setTheme] = useState<Theme>('system');
  useEffect(() => setTheme(themeChoice.get()), []);
  useEffect(() => {
    if (theme === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    window.dispatchEvent(new Event('gatehouse-theme'));
  }, [theme]);
  const Icon = themeIcons[theme];
  return (
    <Menu
      name="Appearance"
      align="end"
      trigger={
        <IconButton name="Appearance">
          <Icon aria-hidden size={16} />
        </IconButton>
      }
    >
      <MenuLabel>Appearance</MenuLabel>
      <MenuChoices
        value={theme}
        onChange={(value) => {
          themeChoice.set(value as Theme);
          setTheme(value as Theme);
        }}
      >
        <MenuChoice value="system">As the system has it</MenuChoice>
        <MenuChoice value="light">Light</MenuChoice>
        <MenuChoice value="dark">Dark</MenuChoice>
      </MenuChoices>
    </Menu>
  );
}
