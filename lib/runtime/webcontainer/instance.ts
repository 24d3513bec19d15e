import type { WebContainer, WebContainerProcess } from '@webcontainer/api';

/** The part of the vendor's published types that the driver stands on. */
export type WebContainerInstance = Pick<WebContainer, 'fs' | 'spawn' | 'mount' | 'export' | 'on' | 'teardown'>;
export type WebContainerProgram = WebContainerProcess;
