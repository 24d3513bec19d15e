import { serveEngine } from '@/lib/bridge/serve-engine';
import { systemClock } from '@/lib/shared/system-clock';
import { openStores } from '@/lib/storage/open-stores';
import { composeEngine } from './compose-engine';
import { createWebWorkerSpawner, generatedFolder } from './spawn-web-worker';
import { createWayOut } from './way-out';
import { createWebSessionLink } from './web-session-link';

// The page's own requests would carry cookies and a referrer to a model's host; a model needs neither.
const fetchModel = (url: string, init: RequestInit) => fetch(url, { ...init, credentials: 'omit', referrerPolicy: 'no-referrer' });

const opening = openStores().then(({ stores, forgetful }) =>
  composeEngine({
    stores,
    spawnWorker: createWebWorkerSpawner(generatedFolder(self.location.href)),
    sharedMemory: self.crossOriginIsolated,
    clock: systemClock,
    fetch: fetchModel,
    fetchWeb: createWayOut(process.env.GATEHOUSE_FETCH_PROXY ?? '', self.location.origin),
    practicePace: 'model',
    practiceWire: 'anthropic',
    // Without storage no other tab can have these sessions, and a browser that refuses storage may refuse locks too.
    ...(forgetful === undefined ? { link: createWebSessionLink() } : { forgetful }),
    onProblem: (message) => console.warn(message),
  }),
);

// The DOM types call `self` a window; here it is the worker's scope, whose postMessage takes no origin.
serveEngine(opening, self as unknown as Parameters<typeof serveEngine>[1]);
