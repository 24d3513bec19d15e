// @vitest-environment happy-dom
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Conversation } from '@/components/session/conversation';
import { createEngineClient, type EngineClient } from '@/lib/client/engine-client';
import { EngineProvider } from '@/lib/client/use-engine';
import { emptySession, foldEvents, stepsOf } from '@/lib/client/view-state';
import type { EngineEventBody } from '@/lib/contracts/events';
import type { UndoAnswer } from '@/lib/contracts/undo';
import { eventList, id } from '@/test/support/event-list';
import { scriptedHost, snapshot } from '@/test/support/scripted-host';
import { readsThenCommand } from '@/test/support/turn-events';

const turnId = readsThenCommand.flatMap((event) => (event.type === 'turn-start' ? [event.turnId] : []))[0] ?? id('turn-1');
const [first, second] = readsThenCommand.flatMap((event) => (event.type === 'plan-end' ? event.calls.map(({ callId }) => callId) : []));
const callId = first ?? id('call-1');
const other = second ?? id('call-2');
const changed: EngineEventBody = { type: 'snapshot', callId, turnId, paths: [{ path: 'src/a.ts', kind: 'changed' }], count: 1, limits: ['packages'] };
const undone: EngineEventBody = {
  type: 'undo',
  undoId: id('undo-1'),
  by: 'person',
  callIds: [callId],
  paths: [{ path: 'src/a.ts', kind: 'changed' }],
  count: 1,
  left: ['src/b.ts'],
};
const redone: EngineEventBody = { type: 'redo', undoId: id('undo-1'), callIds: [callId], paths: [], count: 1, left: [] };

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
  client?.dispose();
});

async function show(host: ReturnType<typeof scriptedHost>): Promise<void> {
  client = createEngineClient({ connect: async () => host.host, schedule: (run) => run(), lastSession: { get: () => undefined, set: () => undefined } });
  await act(() => client.start());
  act(() =>
    root.render(
      <EngineProvider value={client}>
        <Conversation />
      </EngineProvider>,
    ),
  );
}
const buttons = (name: string): readonly HTMLButtonElement[] =>
  [...place.querySelectorAll<HTMLButtonElement>('button')].filter((item) =>
    (item.getAttribute('aria-label') ?? item.textContent ?? '').trim().startsWith(name),
  );
const click = async (name: string): Promise<void> => {
  const [button] = buttons(name);
  if (button === undefined) throw new Error(`no button named ${name}`);
  await act(async () => button.click());
};
const host = (bodies: readonly EngineEventBody[], answer: UndoAnswer = { done: true, undoId: id('undo-1'), count: 1, left: [] }) =>
  scriptedHost({
    'session-create': () => snapshot('session-1', eventList([...readsThenCommand, ...bodies])),
    'undo-call': () => answer,
    'undo-turn': () => answer,
    redo: () => answer,
  });

describe('the fold of undo', () => {
  const stateAfter = (bodies: readonly EngineEventBody[]) => {
    const view = foldEvents(emptySession(id('session-1')), eventList([...readsThenCommand, ...bodies]));
    return view.items.flatMap((item) => (item.kind === 'turn' ? stepsOf(item.turn).flatMap(({ calls }) => calls) : [])).find((call) => call.callId === callId)
      ?.undo;
  };

  it('follows a step through undo, redo and the loss of what was kept', () => {
    const base = { paths: [{ path: 'src/a.ts', kind: 'changed' }], count: 1, limits: ['packages'] };
    expect(stateAfter([])).toBeUndefined();
    expect(stateAfter([changed])).toEqual({ state: 'done', ...base });
    expect(stateAfter([changed, undone])).toEqual({ state: 'undone', ...base, undone: { undoId: 'undo-1', by: 'person', left: ['src/b.ts'] } });
    expect(stateAfter([changed, undone, redone])).toEqual({ state: 'done', ...base });
    expect(stateAfter([changed, { type: 'snapshot-drop', callIds: [callId] }])).toEqual({ state: 'lost', ...base });
    expect(stateAfter([{ type: 'snapshot-drop', callIds: [callId] }])).toBeUndefined();
  });
});

describe('undo on a card', () => {
  it('a call that changed files has a button that names it, and says what stays', async () => {
    const scripted = host([changed]);
    await show(scripted);
    expect(place.textContent).toContain('Undo leaves node_modules as it is');
    await click('Undo read_file');
    expect(scripted.commands.at(-1)).toEqual({ type: 'undo-call', sessionId: 'session-1', callId, differing: 'refuse' });
  });

  it('an undone call says by whom, what was left, and can be done again', async () => {
    const scripted = host([changed, undone]);
    await show(scripted);
    expect(place.textContent).toContain('undone by you');
    expect(place.textContent).toContain('Left as they were, since they had changed: src/b.ts');
    expect(buttons('Undo ')).toEqual([]);
    await click('Redo read_file');
    expect(scripted.commands.at(-1)).toEqual({ type: 'redo', sessionId: 'session-1', undoId: 'undo-1', differing: 'refuse' });
  });

  it('files that changed since are named, nothing was lost, and the person chooses', async () => {
    const scripted = host([changed], {
      done: false,
      differs: [
        { path: 'src/a.ts', why: 'changed', merges: true },
        { path: 'src/b.ts', why: 'changed', by: other, merges: false },
      ],
      others: 2,
    });
    await show(scripted);
    await click('Undo read_file');
    const section = place.querySelector('section[aria-label="Files that changed since"]');
    expect([...(section?.querySelectorAll('li') ?? [])].map((item) => item.textContent)).toEqual([
      'src/a.ts: changed since by you, or by a program of yours',
      'src/b.ts: changed since by a later call',
    ]);
    await click('Go on with the other 2 paths');
    expect(scripted.commands.at(-1)).toMatchObject({ type: 'undo-call', differing: 'leave' });
    await click('Keep the later changes');
    expect(scripted.commands.at(-1)).toMatchObject({ type: 'undo-call', differing: 'merge' });
    await click('Leave all as it is');
    expect(place.querySelector('section[aria-label="Files that changed since"]')).toBeNull();
  });

  it('what is not kept, or was never known, is said instead of offered', async () => {
    await show(
      host([
        { ...changed, problem: 'It cannot be undone: it is too large.' } as EngineEventBody,
        { type: 'snapshot', callId: other, turnId, paths: [], count: 0, limits: ['commands'] },
      ]),
    );
    expect(buttons('Undo')).toEqual([]);
    expect(place.textContent).toContain('It cannot be undone: it is too large.');
    expect(place.textContent).toContain('This runtime cannot tell what the command changed');
  });

  it('an engine that cannot do it says why, where the work was', async () => {
    const scripted = scriptedHost({
      'session-create': () => snapshot('session-1', eventList([...readsThenCommand, changed])),
      'undo-call': () => ({ refused: 'What was there before is not kept here any more.' }),
    });
    await show(scripted);
    await click('Undo read_file');
    expect([...place.querySelectorAll('[role="status"]')].some((item) => item.textContent === 'What was there before is not kept here any more.')).toBe(true);
  });
});

describe('undo of a turn', () => {
  it('undoes every call that changed files, and is taken back as a whole', async () => {
    const scripted = host([changed, { ...changed, callId: other } as EngineEventBody]);
    await show(scripted);
    expect(place.textContent).toContain('2 calls changed files');
    await click('Undo this turn');
    expect(scripted.commands.at(-1)).toEqual({ type: 'undo-turn', sessionId: 'session-1', turnId, differing: 'refuse' });
    const from = readsThenCommand.length + 2;
    await act(async () => scripted.emit(eventList([{ ...undone, callIds: [callId, other], turnId } as EngineEventBody], { fromSeq: from })));
    expect(place.textContent).toContain('this turn is undone');
    await click('Redo this turn');
    expect(scripted.commands.at(-1)).toMatchObject({ type: 'redo', undoId: 'undo-1' });
  });

  it('is not offered where no call changed a file', async () => {
    await show(host([]));
    expect(buttons('Undo')).toEqual([]);
  });
});
