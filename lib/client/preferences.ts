import { type PracticePace, practicePaces } from '@/lib/contracts/commands';
import type { Driver } from './session-runtime';

export type Theme = 'system' | 'light' | 'dark';

// Storage may be closed to the page (private windows, policies): a preference is then forgotten, never an error.
function read(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

function write(key: string, value: string | undefined): void {
  try {
    if (value === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    return;
  }
}

/** The session to come back to after a reload. */
export const lastSession = {
  get: (): string | undefined => read('gatehouse.session'),
  set: (sessionId: string | undefined): void => write('gatehouse.session', sessionId),
};

/** The person was asked once whether the browser may show notifications; what they said is the browser's to keep. */
export const notificationsAsked = {
  get: (): boolean => read('gatehouse.notifications-asked') === 'yes',
  set: (): void => write('gatehouse.notifications-asked', 'yes'),
};

/** The runtime a person chose. */
export const runtimeChoice = {
  get: (): Driver => (read('gatehouse.runtime') === 'webcontainer' ? 'webcontainer' : 'embedded'),
  set: (driver: Driver): void => write('gatehouse.runtime', driver === 'embedded' ? undefined : driver),
};

/** Set while WebContainer boots: found at the next load, that boot took the page down. */
export const webContainerBootMark = {
  get: (): boolean => read('gatehouse.webcontainer-boot') !== undefined,
  set: (begun: boolean): void => write('gatehouse.webcontainer-boot', begun ? 'begun' : undefined),
};

/** How fast a person wants practice to talk. */
export const practicePaceChoice = {
  get(): PracticePace {
    const stored = read('gatehouse.practice-pace');
    return practicePaces.find((pace) => pace === stored) ?? 'model';
  },
  set: (pace: PracticePace): void => write('gatehouse.practice-pace', pace === 'model' ? undefined : pace),
};

/** The theme a person chose; `system` follows the browser. */
export const themeChoice = {
  get(): Theme {
    const stored = read('gatehouse.theme');
    return stored === 'light' || stored === 'dark' ? stored : 'system';
  },
  set(theme: Theme): void {
    write('gatehouse.theme', theme === 'system' ? undefined : theme);
  },
};
