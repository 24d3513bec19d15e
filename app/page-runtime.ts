import { webContainerBootMark } from '@/lib/client/preferences';
import type { PageRuntime } from '@/lib/contracts/page-runtime';
import { loadWebContainer, webContainerHost } from '@/lib/runtime/webcontainer/load-webcontainer';
import { createWebContainerStarter } from '@/lib/runtime/webcontainer/start-webcontainer';
import { systemClock } from '@/lib/shared/system-clock';

/** The WebContainer of this page, not started. */
export function makePageRuntime(): PageRuntime {
  return createWebContainerStarter({
    boot: loadWebContainer,
    // The vendor's frame itself: that it can be framed is what counts, its content nobody reads.
    probe: (signal) =>
      fetch(`${webContainerHost}/headless`, { mode: 'no-cors', credentials: 'omit', referrerPolicy: 'no-referrer', cache: 'no-store', signal }),
    page: { secure: isSecureContext, isolated: crossOriginIsolated },
    bootMark: webContainerBootMark,
    after: systemClock.after,
  });
}
