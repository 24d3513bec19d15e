'use client';
import { type RefObject, useEffect } from 'react';

/** Keys typed for something else must not answer: a prompt is deaf to the keyboard for this long. */
export const quietMs = 400;
/** A click this soon after the window came forward is the click that brought it. */
const wakeMs = 250;

/**
 * Guards a prompt against input that was meant for something else.
 *
 * Order  keys, the clicks that keys make and second clicks of a double click in the first 400 ms after it appeared, held-down
 *        Enter or Space, and the click that brings the window forward are dropped before any button of `area` sees them.
 */
export function usePromptGuard(area: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const box = area.current;
    if (!box) return;
    const openedAt = performance.now();
    let away = !document.hasFocus();
    let wokenAt = Number.NEGATIVE_INFINITY;
    let dropClick = false;
    const isQuiet = (): boolean => performance.now() - openedAt < quietMs;
    const drop = (event: Event): void => {
      event.preventDefault();
      event.stopPropagation();
    };
    const onKey = (event: KeyboardEvent): void => {
      if (isQuiet() || (event.repeat && (event.key === 'Enter' || event.key === ' '))) drop(event);
    };
    const onBlur = (): void => {
      away = true;
    };
    const onFocus = (): void => {
      if (away) wokenAt = performance.now();
      away = false;
    };
    const onPointerDown = (): void => {
      dropClick = away || performance.now() - wokenAt < wakeMs;
      away = false;
    };
    const onClick = (event: MouseEvent): void => {
      const byKey = event.detail === 0;
      const waking = !byKey && (dropClick || performance.now() - wokenAt < wakeMs);
      if (waking || ((byKey || event.detail > 1) && isQuiet())) drop(event);
      // Only one click brings a window forward: the next one answers.
      dropClick = false;
      wokenAt = Number.NEGATIVE_INFINITY;
    };
    window.addEventListener('blur', onBlur);
    window.addEventListener('focus', onFocus);
    box.addEventListener('keydown', onKey, true);
    box.addEventListener('keyup', onKey, true);
    box.addEventListener('pointerdown', onPointerDown, true);
    box.addEventListener('click', onClick, true);
    return () => {
      window.removeEventListener('blur', onBlur);
      window.removeEventListener('focus', onFocus);
      box.removeEventListener('keydown', onKey, true);
      box.removeEventListener('keyup', onKey, true);
      box.removeEventListener('pointerdown', onPointerDown, true);
      box.removeEventListener('click', onClick, true);
    };
  }, [area]);
}
