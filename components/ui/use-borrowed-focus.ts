'use client';
import { type RefObject, useEffect } from 'react';

/**
 * Gives a part of the page the focus when it appears, and gives it back when it goes.
 *
 * In     `first`: what takes it. `take`: always, or only where it was lost, so that nobody who writes is interrupted.
 * Order  it goes back to where the person was; the button that began a task is gone with it, so then to the message.
 */
export function useBorrowedFocus(area: RefObject<HTMLElement | null>, first: () => HTMLElement | null | undefined, take: 'always' | 'lost'): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it appears
  useEffect(() => {
    const box = area.current;
    const panel = box?.closest('[data-place]');
    const before = document.activeElement;
    if (take === 'always' || before === null || before === document.body) first()?.focus({ preventScroll: true });
    return () => {
      if (document.activeElement !== document.body && !box?.contains(document.activeElement)) return;
      const was = before instanceof HTMLElement && before !== document.body && before.isConnected ? before : undefined;
      (was ?? panel?.querySelector<HTMLElement>('[data-panel-focus]'))?.focus({ preventScroll: true });
    };
  }, []);
}
