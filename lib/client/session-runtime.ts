import type { EngineHost } from '@/lib/contracts/commands';
import type { SessionId } from '@/lib/contracts/ids';
import type { PageRuntime } from '@/lib/contracts/page-runtime';
import type { Runtime, RuntimeInfo } from '@/lib/contracts/runtime';
import { messageOf } from '@/lib/shared/coded-error';

export type Driver = RuntimeInfo['driver'];

/** What the page shows of the runtime. */
export interface RuntimeView {
  readonly runtime: Runtime | undefined;
  /** In a word or two: which one it is, or what is happening. */
  readonly runtimeText: string;
  /** Why it is not the one that was chosen; in sentences. */
  readonly runtimeNote: string | undefined;
}

export interface SessionRuntimePorts {
  host(): EngineHost | undefined;
  /** The session on the page, when this tab writes it. */
  writing(): SessionId | undefined;
  sessionId(): SessionId | undefined;
  view(): RuntimeView;
  show(change: Partial<RuntimeView>): void;
  /** Absent: this page starts no runtime of its own. */
  readonly page?: PageRuntime;
  /** What the person chose last, kept over reloads. */
  readonly choice: { get(): Driver; set(driver: Driver): void };
}

/** The runtime of the session on the page: opened with it, and moved when the person chooses another. */
export interface SessionRuntime {
  open(sessionId: SessionId): Promise<void>;
  choose(driver: Driver): Promise<void>;
}

/** Nothing here rejects; what fails is said in the view. */
export function createSessionRuntime(ports: SessionRuntimePorts): SessionRuntime {
  const letGo = (runtimeText: string): void => {
    // Only this page's end of it: the workspace lives on in the engine.
    void ports
      .view()
      .runtime?.dispose()
      .catch(() => undefined);
    ports.show({ runtime: undefined, runtimeText });
  };
  const connect = async (sessionId: SessionId): Promise<void> => {
    letGo('opening the workspace…');
    try {
      const runtime = await ports.host()?.runtimeFor(sessionId);
      if (!runtime) return;
      if (ports.sessionId() !== sessionId || ports.view().runtime) return void runtime.dispose().catch(() => undefined);
      ports.show({ runtime, runtimeText: runtimeWords(runtime.info) });
    } catch (error) {
      if (ports.sessionId() === sessionId) ports.show({ runtimeText: `not available: ${messageOf(error)}` });
    }
  };
  const move = async (driver: Driver, asked: 'by-hand' | 'by-itself'): Promise<boolean> => {
    const sessionId = ports.writing();
    const host = ports.host();
    if (sessionId === undefined || host === undefined) return false;
    const before = ports.view().runtimeText;
    let moved = false;
    try {
      let offered: Runtime | undefined;
      if (driver === 'webcontainer') {
        if (!ports.page) throw new Error('This page cannot start WebContainer.');
        ports.show({ runtimeText: 'starting WebContainer…', runtimeNote: undefined });
        offered = await ports.page.start(asked);
      }
      if (ports.writing() !== sessionId || ports.host() !== host) return false;
      letGo('moving the files…');
      await host.offerRuntime(sessionId, offered);
      moved = true;
      ports.show({ runtimeNote: undefined });
    } catch (error) {
      if (ports.sessionId() === sessionId) ports.show({ runtimeText: before, runtimeNote: messageOf(error) });
    }
    if (ports.sessionId() === sessionId && !ports.view().runtime) await connect(sessionId);
    return moved;
  };
  return {
    async open(sessionId) {
      ports.show({ runtimeNote: undefined });
      await connect(sessionId);
      if (ports.choice.get() === 'webcontainer' && ports.page && ports.view().runtime?.info.driver === 'embedded') await move('webcontainer', 'by-itself');
    },
    async choose(driver) {
      if (ports.view().runtime?.info.driver === driver) {
        ports.choice.set(driver);
        return ports.show({ runtimeNote: undefined });
      }
      // Before it starts: should it take the page down, the next load knows that it was tried.
      ports.choice.set(driver);
      if (!(await move(driver, 'by-hand'))) ports.choice.set('embedded');
    },
  };
}

/** The runtime in a word or two. */
export function runtimeWords({ driver, capabilities }: RuntimeInfo): string {
  if (driver === 'webcontainer') return 'WebContainer';
  return capabilities.syncProcesses ? 'embedded' : 'embedded, not isolated';
}

/** What the runtime cannot do here and why; undefined where it can do all. */
export function runtimeLimits({ driver, capabilities }: RuntimeInfo): string | undefined {
  if (driver === 'webcontainer' || capabilities.syncProcesses) return undefined;
  return 'This page is not cross-origin isolated, so there is no shared memory: a program works on a copy of the files and hands its changes back, and execSync is refused. Everything else works.';
}
