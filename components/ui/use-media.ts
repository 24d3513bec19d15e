import { useSyncExternalStore } from 'react';

/** Whether a media query holds; `onServer` is the answer before there is a window. */
export function useMedia(query: string, onServer: boolean): boolean {
  return useSyncExternalStore(
    (listener) => {
      const list = matchMedia(query);
      list.addEventListener('change', listener);
      return () => list.removeEventListener('change', listener);
    },
    () => matchMedia(query).matches,
    () => onServer,
  );
}
