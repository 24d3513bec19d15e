import * as Comlink from 'comlink';
import { remoteRuntime } from '@/lib/bridge/remote-runtime';
import { serveRuntime } from '@/lib/bridge/serve-runtime';
import type { Runtime } from '@/lib/contracts/runtime';

/** A runtime as the other side of the bridge sees it: real ports, real clones. */
export function acrossBridge(runtime: Runtime): Runtime {
  const { port1, port2 } = new MessageChannel();
  Comlink.expose(serveRuntime(runtime), port1);
  return remoteRuntime(runtime.info, port2);
}
