import { describe, expect, it } from 'vitest';
import { type ClientPorts, createEngineClient } from '@/lib/client/engine-client';
import type { SessionSnapshot } from '@/lib/contracts/commands';
import { eventList, id } from '@/test/support/event-list';
import { scriptedHost, sessionRecord, snapshot } from '@/test/support/scripted-host';
import { readsThenCommand } from '@/test/support/turn-events';

const events = eventList(readsThenCommand);
const task = { taskId: 'fix-the-test', title: 'Fix', description: '', prompt: 'Fix it' };

function world(host: ReturnType<typeof scriptedHost>, last?: string) {
  const frames: (() => void)[] = [];
  const remembered: (string | undefined)[] = [];
  const ports: ClientPorts = {
    connect: async () => host.host,
    schedule: (run) => void frames.push(run),
    lastSession: { get: () => last, set: (sessionId) => void remembered.push(sessionId) },
  };
  const client = createEngineClient(ports);
  const frame = (): void => {
    for (const run of frames.splice(0)) run();
  };
  return { client, frame, frames, remembered };
}

describe('the page’s hold on the engine', () => {
  it('makes the first session on the practice task’s workspace', async () => {
    const host = scriptedHost({ 'session-create': () => snapshot('session-1') }, { tasks: [task] });
    const { client, remembered } = world(host);
    await client.start();
    expect(host.commands).toEqual([{ type: 'session-list' }, { type: 'session-create', taskId: 'fix-the-test' }, { type: 'session-list' }]);
    expect([client.state().phase, client.state().session?.sessionId, remembered]).toEqual(['ready', 'session-1', ['session-1']]);
  });

  it('brings back the session of before a reload, else the newest', async () => {
    const sessions = [sessionRecord('session-2'), sessionRecord('session-1')];
    for (const [last, opened] of [
      ['session-1', 'session-1'],
      ['gone', 'session-2'],
    ] as const) {
      const host = scriptedHost(
        { 'session-open': (command) => snapshot(command.sessionId, eventList(readsThenCommand, { sessionId: command.sessionId })) },
        { sessions },
      );
      const { client } = world(host, last);
      await client.start();
      expect([client.state().session?.sessionId, client.state().session?.lastSeq]).toEqual([opened, events.length - 1]);
    }
  });

  it('shows many events in one frame and tells of them once', async () => {
    const host = scriptedHost({ 'session-create': () => snapshot('session-1') });
    const { client, frame, frames } = world(host);
    await client.start();
    frame();
    let told = 0;
    client.subscribe(() => told++);
    for (const event of events) host.emit([event]);
    expect([frames.length, told]).toEqual([1, 0]);
    frame();
    expect([told, client.state().session?.lastSeq, client.state().running]).toEqual([1, events.length - 1, false]);
  });

  it('loses no event that comes while the session is being opened', async () => {
    let answer: (value: SessionSnapshot) => void = () => undefined;
    const host = scriptedHost({ 'session-create': () => new Promise<SessionSnapshot>((resolve) => (answer = resolve)) });
    const { client, frame } = world(host);
    const started = client.start();
    while (host.commands.length < 2) await Promise.resolve();
    host.emit(events.slice(5, 10));
    frame();
    answer(snapshot('session-1', events.slice(0, 7)));
    await started;
    host.emit(events.slice(10, 12));
    frame();
    expect(client.state().session?.lastSeq).toBe(11);
  });

  it('reads the session again when events are missing', async () => {
    const host = scriptedHost({ 'session-create': () => snapshot('session-1', events.slice(0, 2)), 'session-open': () => snapshot('session-1', events) });
    const { client, frame } = world(host);
    await client.start();
    host.emit(events.slice(8, 9));
    frame();
    await Promise.resolve();
    expect(host.commands.at(-1)).toEqual({ type: 'session-open', sessionId: 'session-1' });
  });

  it('says what failed where the work was, and until it is dismissed', async () => {
    const host = scriptedHost({ 'session-create': () => snapshot('session-1'), 'turn-send': () => ({ refused: 'A turn is running.' }) });
    const { client } = world(host);
    await client.start();
    expect(await client.send('hello')).toBe(false);
    expect(client.state().problem).toEqual({ place: 'conversation', text: 'A turn is running.' });
    client.dismissProblem();
    expect(client.state().problem).toBe(undefined);
  });

  it('says when the engine died and starts it again with the same session', async () => {
    const host = scriptedHost(
      { 'session-create': () => snapshot('session-1'), 'session-open': () => snapshot('session-1', events) },
      { sessions: [sessionRecord('session-1')] },
    );
    const { client } = world(host, 'session-1');
    await client.start();
    host.crash('It stopped. What was stored is safe.');
    expect([client.state().phase, client.state().phaseText, client.state().running]).toEqual(['crashed', 'It stopped. What was stored is safe.', false]);
    await client.restart();
    expect([client.state().phase, client.state().session?.sessionId]).toEqual(['ready', 'session-1']);
  });

  it('follows the session after a restart, also when the engine died while it opened another', async () => {
    const host = scriptedHost(
      { 'session-create': () => new Promise<never>(() => undefined) as never, 'session-open': () => snapshot('session-1', events.slice(0, 2)) },
      { sessions: [sessionRecord('session-1')] },
    );
    const { client, frame } = world(host, 'session-1');
    await client.start();
    const making = client.createSession('fix-the-test');
    host.crash('It stopped.');
    await client.restart();
    expect(await making).toBe(false);
    host.emit(events.slice(2));
    frame();
    expect(client.state().session?.lastSeq).toBe(events.length - 1);
  });

  it('tells the engine the pace of practice that was chosen before, and a new one as it is chosen', async () => {
    const host = scriptedHost({ 'session-create': () => snapshot('session-1'), 'practice-pace': () => ({}) }, { tasks: [task] });
    let kept: 'slow' | 'model' | 'instant' = 'slow';
    const client = createEngineClient({
      connect: async () => host.host,
      schedule: (run) => run(),
      lastSession: { get: () => undefined, set: () => undefined },
      practicePace: {
        get: () => kept,
        set: (pace) => {
          kept = pace;
        },
      },
    });
    await client.start();
    expect([host.commands[0], client.state().practicePace]).toEqual([{ type: 'practice-pace', pace: 'slow' }, 'slow']);
    client.pacePractice('instant');
    await Promise.resolve();
    expect([host.commands.at(-1), kept]).toEqual([{ type: 'practice-pace', pace: 'instant' }, 'instant']);
    await expect.poll(() => client.state().practicePace).toBe('instant');
  });

  it('says in words when the engine does not start', async () => {
    const client = createEngineClient({
      connect: () => Promise.reject(new Error('no workers here')),
      schedule: () => undefined,
      lastSession: { get: () => undefined, set: () => undefined },
    });
    await client.start();
    expect([client.state().phase, client.state().phaseText]).toEqual([
      'failed',
      'The engine did not start: no workers here. Your sessions and files are safe in this browser.',
    ]);
  });

  it('opens another session after the open one was removed', async () => {
    const sessions = [sessionRecord('session-1'), sessionRecord('session-2')];
    const left = [...sessions];
    const host = scriptedHost({
      'session-list': () => ({ sessions: [...left], tasks: [], model: { kind: 'practice' } }),
      'session-open': (command) => snapshot(command.sessionId),
      'session-remove': (command) => {
        left.splice(
          left.findIndex((record) => record.sessionId === command.sessionId),
          1,
        );
        return {};
      },
    });
    const { client, remembered } = world(host, 'session-1');
    await client.start();
    await client.removeSession(id('session-1'));
    expect([client.state().session?.sessionId, remembered.at(-1)]).toEqual(['session-2', 'session-2']);
  });
});
