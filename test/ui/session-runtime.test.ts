import { describe, expect, it } from 'vitest';
import { createSessionRuntime, type Driver, type RuntimeView } from '@/lib/client/session-runtime';
import type { EngineHost } from '@/lib/contracts/commands';
import type { SessionId } from '@/lib/contracts/ids';
import type { Runtime } from '@/lib/contracts/runtime';
import { CodedError } from '@/lib/shared/coded-error';

const session = 'session-1' as SessionId;
const runtimeOf = (driver: Driver, syncProcesses = true): Runtime =>
  ({ info: { driver, shell: ['sh', '-c'], capabilities: { syncProcesses, persistent: true } }, dispose: () => Promise.resolve() }) as unknown as Runtime;

/** A page on one session, whose engine moves it where it is told. */
function page(
  options: { readonly chosen?: Driver; readonly refused?: string; readonly busy?: boolean; readonly isolated?: boolean; readonly follows?: boolean } = {},
) {
  let view: RuntimeView = { runtime: undefined, runtimeText: 'starting…', runtimeNote: undefined };
  let chosen: Driver = options.chosen ?? 'embedded';
  let driver: Driver = 'embedded';
  const keep = (next: Driver): void => {
    chosen = next;
  };
  const shown: string[] = [];
  const asked: string[] = [];
  const host = {
    runtimeFor: async () => runtimeOf(driver, options.isolated ?? true),
    async offerRuntime(_session: SessionId, offered: Runtime | undefined) {
      if (options.busy) throw new CodedError('busy', 'A program is running.');
      driver = offered?.info.driver ?? 'embedded';
    },
  } as unknown as EngineHost;
  const runtime = createSessionRuntime({
    host: () => host,
    writing: () => (options.follows ? undefined : session),
    sessionId: () => session,
    view: () => view,
    show(change) {
      view = { ...view, ...change };
      if (change.runtimeText && change.runtimeText !== shown.at(-1)) shown.push(change.runtimeText);
    },
    choice: { get: () => chosen, set: keep },
    page: {
      async start(by) {
        asked.push(by);
        if (options.refused !== undefined) throw new CodedError('not-available', options.refused);
        return runtimeOf('webcontainer');
      },
    },
  });
  return { runtime, shown, asked, view: () => ({ driver: view.runtime?.info.driver, text: view.runtimeText, note: view.runtimeNote }), chosen: () => chosen };
}

describe('the runtime of the session on the page', () => {
  it('is the embedded one, and nothing of the vendor’s is started, until a person chooses', async () => {
    const { runtime, view, asked } = page();
    await runtime.open(session);
    expect([view(), asked]).toEqual([{ driver: 'embedded', text: 'embedded', note: undefined }, []]);
  });

  it('moves when a person chooses, comes back the same way, and says what it does', async () => {
    const { runtime, view, shown, asked, chosen } = page();
    await runtime.open(session);
    await runtime.choose('webcontainer');
    expect([view(), chosen(), asked]).toEqual([{ driver: 'webcontainer', text: 'WebContainer', note: undefined }, 'webcontainer', ['by-hand']]);
    await runtime.choose('embedded');
    expect([view(), chosen()]).toEqual([{ driver: 'embedded', text: 'embedded', note: undefined }, 'embedded']);
    expect(shown).toEqual([
      'opening the workspace…',
      'embedded',
      'starting WebContainer…',
      'moving the files…',
      'opening the workspace…',
      'WebContainer',
      'moving the files…',
      'opening the workspace…',
      'embedded',
    ]);
  });

  it('cl-57: where it cannot start, the reason is shown and the embedded one goes on; dismissed, that is the choice', async () => {
    const { runtime, view, chosen } = page({ refused: 'WebContainer needs cross-origin isolation.' });
    await runtime.open(session);
    await runtime.choose('webcontainer');
    expect([view(), chosen()]).toEqual([{ driver: 'embedded', text: 'embedded', note: 'WebContainer needs cross-origin isolation.' }, 'embedded']);
    await runtime.choose('embedded');
    expect(view().note).toBeUndefined();
  });

  it('a choice of before the reload is taken up by itself, and says why when it cannot be', async () => {
    const good = page({ chosen: 'webcontainer' });
    await good.runtime.open(session);
    expect([good.view().driver, good.asked]).toEqual(['webcontainer', ['by-itself']]);

    const crashed = page({ chosen: 'webcontainer', refused: 'It was not started again by itself.' });
    await crashed.runtime.open(session);
    expect([crashed.view(), crashed.chosen()]).toEqual([{ driver: 'embedded', text: 'embedded', note: 'It was not started again by itself.' }, 'webcontainer']);
  });

  it('a program that runs keeps the workspace where it is, and the page opens it again', async () => {
    const { runtime, view } = page({ busy: true });
    await runtime.open(session);
    await runtime.choose('webcontainer');
    expect(view()).toEqual({ driver: 'embedded', text: 'embedded', note: 'A program is running.' });
  });

  it('a page that follows another tab moves nothing', async () => {
    const { runtime, asked } = page({ chosen: 'webcontainer', follows: true });
    await runtime.open(session);
    expect(asked).toEqual([]);
  });

  it('cl-57: without isolation the page says so', async () => {
    const { runtime, view } = page({ isolated: false });
    await runtime.open(session);
    expect(view().text).toBe('embedded, not isolated');
  });
});
