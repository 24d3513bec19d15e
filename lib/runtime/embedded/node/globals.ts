/**
 * What lets a worker of this origin reach storage, the network, other tabs or other code: taken away before a program runs.
 * The worker's own CSP (`default-src 'none'`) stands behind it for the network.
 */
const TAKEN = [
  'indexedDB',
  'caches',
  'cookieStore',
  'localStorage',
  'sessionStorage',
  'StorageManager',
  'CacheStorage',
  'FileSystemSyncAccessHandle',
  'FileSystemHandle',
  'FileSystemDirectoryHandle',
  'FileSystemFileHandle',
  'webkitRequestFileSystem',
  'webkitRequestFileSystemSync',
  'webkitResolveLocalFileSystemURL',
  'webkitResolveLocalFileSystemSyncURL',
  'IDBFactory',
  'IDBDatabase',
  'IDBObjectStore',
  'IDBTransaction',
  'IDBOpenDBRequest',
  'IDBRequest',
  'IDBCursor',
  'IDBCursorWithValue',
  'IDBIndex',
  'IDBKeyRange',
  'IDBVersionChangeEvent',
  'fetch',
  'Request',
  'Response',
  'Headers',
  'WebSocket',
  'WebSocketStream',
  'EventSource',
  'XMLHttpRequest',
  'XMLHttpRequestUpload',
  'WebTransport',
  'RTCPeerConnection',
  'RTCDataChannel',
  'RTCRtpScriptTransformer',
  'BroadcastChannel',
  'Worker',
  'SharedWorker',
  'ServiceWorker',
  'ServiceWorkerContainer',
  'ServiceWorkerRegistration',
  'importScripts',
  'navigator',
  'WorkerNavigator',
  'NavigatorUAData',
  'LockManager',
  'Lock',
  'Notification',
  'PushManager',
  'PushSubscription',
  'BackgroundFetchManager',
  'PeriodicSyncManager',
  'SyncManager',
  'PressureObserver',
  'FontFace',
  'fonts',
  'ReportingObserver',
  'Serial',
  'USB',
  'HID',
  'WebSocketError',
  'scheduler',
  'postMessage',
  'onmessage',
  'onmessageerror',
  'onrtctransform',
  'close',
  'location',
  'WorkerLocation',
  'origin',
  'name',
  'self',
  'isSecureContext',
  'crossOriginIsolated',
  'trustedTypes',
  'requestAnimationFrame',
  'cancelAnimationFrame',
  'onerror',
  'onunhandledrejection',
  'onrejectionhandled',
  'DedicatedWorkerGlobalScope',
  'WorkerGlobalScope',
  'createImageBitmap',
  'reportError',
  'requestIdleCallback',
] as const;

/** These live on `EventTarget`, which programs may use; on the global they are hidden. */
const HIDDEN = ['addEventListener', 'removeEventListener', 'dispatchEvent'] as const;

/** Removes what programs must not reach, on the global and on what it inherits from. */
export function stripGlobals(): void {
  for (const name of HIDDEN) Object.defineProperty(globalThis, name, { value: undefined, writable: true, configurable: true });
  for (const name of TAKEN) {
    for (let owner: object | null = globalThis; owner; owner = Object.getPrototypeOf(owner) as object | null) {
      if (owner === Object.prototype || !Object.hasOwn(owner, name)) continue;
      const described = Object.getOwnPropertyDescriptor(owner, name);
      if (described?.configurable) Reflect.deleteProperty(owner, name);
      else if (described?.writable) (owner as Record<string, unknown>)[name] = undefined;
      else throw new Error(`The global ${name} cannot be taken away, so no program is run here.`);
    }
  }
}

/** Puts Node's globals in place. */
export function installGlobals(globals: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(globals))
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: false });
}
