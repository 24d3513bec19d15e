'use client';
import { type RefObject, useEffect } from 'react';
import type { PanelName } from './panels';

interface Shortcuts {
  readonly page: RefObject<HTMLElement | null>;
  readonly onStop: () => void;
  readonly onPanel: (name: PanelName) => void;
}

/** F6 and Shift+F6 go round the panels, Ctrl+` to the terminal, Esc stops the turn where nothing closer wants it. */
export function useShortcuts({ page, onStop, onPanel }: Shortcuts): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'F6' && !event.ctrlKey && !event.altKey && !event.metaKey) {
        event.preventDefault();
        event.stopPropagation();
        cyclePanel(page.current, event.shiftKey ? -1 : 1);
      } else if (event.code === 'Backquote' && event.ctrlKey && !event.altKey && !event.metaKey) {
        event.preventDefault();
        event.stopPropagation();
        onPanel('terminal');
        // The panel may only now come into view.
        requestAnimationFrame(() => focusPanel(page.current?.querySelector('[data-place="terminal"]')));
      }
    };
    // Esc is read last: a menu, a dialog, the editor or a field that uses it has had its turn by then.
    const onEscape = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return;
      if (event.target instanceof Element && event.target.closest('[data-keeps-escape], [role="menu"], [role="dialog"]')) return;
      onStop();
    };
    window.addEventListener('keydown', onKey, true);
    window.addEventListener('keydown', onEscape);
    return () => {
      window.removeEventListener('keydown', onKey, true);
      window.removeEventListener('keydown', onEscape);
    };
  });
}

function cyclePanel(page: HTMLElement | null, by: 1 | -1): void {
  const panels = [...(page?.querySelectorAll<HTMLElement>('[data-place]') ?? [])].filter((panel) => panel.offsetParent !== null);
  const at = panels.findIndex((panel) => panel.contains(document.activeElement));
  const from = at < 0 && by < 0 ? panels.length : at;
  // A panel that holds nothing to focus, as an editor without files, is passed over, or the round would end there.
  for (let step = 1; step <= panels.length; step++) if (focusPanel(panels.at((from + by * step) % panels.length))) return;
}

function focusPanel(panel: Element | null | undefined): boolean {
  const seen = (selector: string): HTMLElement | undefined =>
    [...(panel?.querySelectorAll<HTMLElement>(selector) ?? [])].find((element) => element.checkVisibility());
  const wanted =
    seen('[data-panel-focus]:not(:disabled), .xterm-helper-textarea') ??
    seen('button:not(:disabled), [tabindex="0"], textarea:not(:disabled), input:not(:disabled)');
  wanted?.focus();
  return wanted !== undefined;
}
