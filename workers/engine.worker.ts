import { serveEngine } from '@/lib/bridge/serve-engine';
import { systemClock } from '@/lib/shared/system-clock';
import { openIndexedStores } from '@/lib/storage/indexed-stores';
import { composeEngine } from './compose-engine';
import { createWebWorkerSpawner, generatedFolder } from './spawn-web-worker';
import { createWebSessionLink } from './web-session-link';

// The page's own requests would carry cookies and a referrer to a model's host; a model needs neither.
const fetchModel = (url: string, init: RequestInit) => fetch(url, { ...init, credentials: 'omit', referrerPolicy: 'no-referrer' });

const opening = openIndexedStores().then((stores) =>
  composeEngine({
    stores,
    spawnWorker: createWebWorkerSpawner(generatedFolder(self.location.href)),
    sharedMemory: self.crossOriginIsolated,
    clock: systemClock,
    fetch: fetchModel,
    practiceSpeed: 1,
    practiceWire: 'anthropic',
    link: createWebSessionLink(),
    onProblem: (message) => console.warn(message),
  }),
);

// The DOM types call `self` a window; here it is the worker's scope, whose postMessage takes no origin.
serveEngine(opening, self as unknown as Parameters<typeof serveEngine>[1]);
