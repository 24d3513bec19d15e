import * as Comlink from 'comlink';
import type { CommandAnswer, EngineApi, EngineCommand, EngineHost } from '@/lib/contracts/commands';
import type { EngineEvent } from '@/lib/contracts/events';
import type { SessionId } from '@/lib/contracts/ids';
import type { SessionRole } from '@/lib/contracts/session-link';
import { newTab } from '@/lib/shared/new-ids';
import { unwrap } from './ports';
import type { EngineService, RoleMessage } from './protocol';
import { remoteRuntime } from './remote-runtime';
import { serveRuntime } from './serve-runtime';

/**
 * Starts the engine's worker and connects to it.
 *
 * Out    the host; commands sent before the engine is ready wait for it.
 * Order  the event port is open before the first command can be answered, so no event is missed.
 */
export async function connectEngine(): Promise<EngineHost> {
  const worker = new Worker(new URL('@/workers/engine.worker.ts', import.meta.url), { type: 'module', name: 'engine' });
  const service = Comlink.wrap<EngineService>(worker);
  const listeners = new Set<(events: readonly EngineEvent[]) => void>();
  const crashListeners = new Set<(message: string) => void>();
  const crashed = (said: string) => {
    for (const listener of crashListeners) listener(`The engine stopped: ${said}. What was stored is safe. Restart it to go on.`);
  };
  worker.addEventListener('error', (event) => crashed(event.message === '' ? 'its worker could not be started' : event.message));
  const watching = new AbortController();
  void noticeDeath(service, watching.signal, () => crashed('its worker ended, perhaps for want of memory'));
  const channel = new MessageChannel();
  const roleListeners = new Set<(sessionId: SessionId, role: SessionRole) => void>();
  channel.port1.onmessage = (event: MessageEvent<readonly EngineEvent[] | RoleMessage>) => {
    const { data } = event;
    if ('role' in data) for (const listener of roleListeners) listener(data.sessionId, data.role);
    else for (const listener of listeners) listener(data);
  };
  void service.sendEvents(Comlink.transfer(channel.port2, [channel.port2]));

  const engine: EngineApi = {
    command: <Command extends EngineCommand>(command: Command) => service.command(command) as Promise<CommandAnswer<Command['type']>>,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    subscribeRoles(listener) {
      roleListeners.add(listener);
      return () => roleListeners.delete(listener);
    },
  };
  return {
    engine,
    async runtimeFor(sessionId) {
      const { port1, port2 } = new MessageChannel();
      const info = await unwrap(service.runtime(sessionId, Comlink.transfer(port2, [port2])));
      return remoteRuntime(info, port1);
    },
    async offerRuntime(sessionId, runtime) {
      if (runtime === undefined) return unwrap(service.offerRuntime(sessionId));
      const { port1, port2 } = new MessageChannel();
      Comlink.expose(serveRuntime(runtime), port1);
      await unwrap(service.offerRuntime(sessionId, Comlink.transfer({ info: runtime.info, port: port2 }, [port2])));
    },
    onCrash(listener) {
      crashListeners.add(listener);
      return () => crashListeners.delete(listener);
    },
    dispose() {
      watching.abort();
      channel.port1.close();
      service[Comlink.releaseProxy]();
      worker.terminate();
    },
  };
}

/** A worker that runs out of memory ends without an event; the lock that it held tells. */
async function noticeDeath(service: Comlink.Remote<EngineService>, signal: AbortSignal, onDeath: () => void): Promise<void> {
  const life = `gatehouse-engine-${newTab()}`;
  try {
    if (await service.holdLife(life)) await navigator.locks.request(life, { signal }, onDeath);
  } catch {
    // The page let the engine go itself, or the worker never started, which its own error event tells.
  }
}
