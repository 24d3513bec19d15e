// @vitest-environment happy-dom
import { act, createRef } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { GrantsDialog } from '@/components/approvals/grants-dialog';
import { createEngineClient, type EngineClient } from '@/lib/client/engine-client';
import { EngineProvider } from '@/lib/client/use-engine';
import type { RememberedGrant } from '@/lib/contracts/approval';
import { scriptedHost, snapshot } from '@/test/support/scripted-host';

let root: Root;
let place: HTMLElement;
let client: EngineClient;

beforeEach(() => {
  (globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;
  place = document.body.appendChild(document.createElement('div'));
  root = createRoot(place);
});
afterEach(() => {
  act(() => root.unmount());
  place.remove();
  client.dispose();
});

const grant = (key: string, covers: string): RememberedGrant => ({ key, tool: 'exec_shell', covers, grantedAt: 1 });

it('lists what was allowed for longer, and takes back what the person points at', async () => {
  let inSession = [grant('k1', 'every command that begins with "npm test"')];
  const host = scriptedHost({
    'session-create': () => snapshot('session-1'),
    'grant-list': () => ({ session: inSession, workspace: [grant('k2', 'exactly this call, with exactly these arguments')] }),
    'grant-revoke': ({ key }) => {
      inSession = inSession.filter((one) => one.key !== key);
      return { revoked: true };
    },
  });
  client = createEngineClient({ connect: async () => host.host, schedule: (run) => run(), lastSession: { get: () => undefined, set: () => undefined } });
  await act(() => client.start());
  await act(async () =>
    root.render(
      <EngineProvider value={client}>
        <GrantsDialog open onOpenChange={() => undefined} returnTo={createRef()} />
      </EngineProvider>,
    ),
  );
  const lists = () => [...document.querySelectorAll('[role=dialog] section')].map((list) => [list.getAttribute('aria-label'), list.textContent]);
  expect(lists()).toEqual([
    ['In this session', 'In this sessionexec_shell every command that begins with "npm test"Take back'],
    ['Always in this workspace', 'Always in this workspaceexec_shell exactly this call, with exactly these arguments: k2Take back'],
  ]);
  await act(async () => document.querySelector<HTMLElement>('[aria-label^="Take back: exec_shell every"]')?.click());
  expect(host.commands.at(-2)).toEqual({ type: 'grant-revoke', sessionId: 'session-1', key: 'k1' });
  expect(lists()[0]).toEqual(['In this session', 'In this sessionNothing: every call is decided by the rules and the mode.']);
});
