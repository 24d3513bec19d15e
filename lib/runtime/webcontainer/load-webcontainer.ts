import type { WebContainerInstance } from './instance';

/** Where the vendor's frame comes from; `security-headers.ts` opens the page's policy for it. */
export const webContainerHost = 'https://stackblitz.com';

/** Loads the vendor's package and boots; needs a page's window. Offline it settles never. */
export async function loadWebContainer(): Promise<WebContainerInstance> {
  const { WebContainer } = await import('@webcontainer/api');
  return WebContainer.boot({ coep: 'require-corp', workdirName: 'workspace' });
}
