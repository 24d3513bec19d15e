import * as Comlink from 'comlink';
import type { EngineApi, EngineCommand } from '@/lib/contracts/commands';
import type { EngineEvent } from '@/lib/contracts/events';
import type { SessionId } from '@/lib/contracts/ids';
import type { Runtime } from '@/lib/contracts/runtime';
import { messageOf } from '@/lib/shared/coded-error';
import { answering } from './ports';
import { type EngineService, engineCommand, type RoleMessage } from './protocol';
import { remoteRuntime } from './remote-runtime';
import { serveRuntime } from './serve-runtime';

/** Events of one group at most; more are sent as several messages. */
const groupSize = 200;

/** An engine with the runtimes of its sessions, as a composition root builds it. */
export interface ServedEngine extends EngineApi {
  workspaceOf(sessionId: SessionId): Promise<{ readonly runtime: Runtime }>;
  /** See EngineHost. */
  offerRuntime(sessionId: SessionId, runtime: Runtime | undefined): Promise<void>;
}

/**
 * Serves the engine on a worker's own scope.
 *
 * In     `opening`: the engine, perhaps still being built; commands wait for it.
 * Out    nothing; a command that is not of the protocol, or an engine that could not be built, is answered in words.
 */
export function serveEngine(opening: Promise<ServedEngine>, scope: Comlink.Endpoint): void {
  opening.catch(() => undefined);
  const service: EngineService = {
    holdLife: async (name) => {
      if (navigator.locks === undefined) return false;
      return new Promise<boolean>((held, failed) => {
        const untilDeath = () => {
          held(true);
          return new Promise<never>(() => {});
        };
        navigator.locks.request(name, untilDeath).catch(failed);
      });
    },
    async command(given) {
      const parsed = engineCommand.safeParse(given);
      if (!parsed.success)
        return {
          ok: false,
          code: 'bad-command',
          message: `The engine did not take this command: ${parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ')}.`,
        };
      try {
        return await (await opening).command(parsed.data as EngineCommand);
      } catch (error) {
        return {
          ok: false,
          code: 'engine-not-started',
          message: `The engine could not start: ${messageOf(error)} Nothing stored was changed. Reload the page to try again.`,
        };
      }
    },
    sendEvents(port) {
      void opening.then(
        (engine) => {
          engine.subscribe((events) => sendGroups(events, port));
          engine.subscribeRoles((sessionId, role) => port.postMessage({ sessionId, role } satisfies RoleMessage));
        },
        () => undefined,
      );
    },
    runtime: (sessionId, port) =>
      answering(async () => {
        const { runtime } = await (await opening).workspaceOf(sessionId as SessionId);
        // What the person writes is theirs: no call's undo takes it away.
        Comlink.expose(serveRuntime(runtime.journal?.as('person') ?? runtime), port);
        return runtime.info;
      }),
    offerRuntime: (sessionId, offer) =>
      answering(async () => (await opening).offerRuntime(sessionId as SessionId, offer && remoteRuntime(offer.info, offer.port))),
  };
  Comlink.expose(service, scope);
}

function sendGroups(events: readonly EngineEvent[], port: MessagePort): void {
  for (let from = 0; from < events.length; from += groupSize) port.postMessage(events.slice(from, from + groupSize));
}
