import { describe, expect, it } from 'vitest';
import type { EngineEvent } from '@/lib/contracts/events';
import { forgedCalls } from '@/lib/practice/scripts/forged-calls';
import { watchItMisbehavePrompt } from '@/lib/practice/scripts/watch-it-misbehave';
import { anthropic } from '@/lib/providers/anthropic';
import { openaiChat } from '@/lib/providers/openai-chat';
import { createTaskWorld, type PlayedTurn, type TaskWorldOptions } from '@/test/support/task-world';

const of = <Type extends EngineEvent['type']>(turn: PlayedTurn, type: Type) =>
  turn.events.filter((event) => event.type === type) as Extract<EngineEvent, { type: Type }>[];
const statuses = (turn: PlayedTurn): readonly string[] => {
  const names = new Map(of(turn, 'plan-end').flatMap((plan) => plan.calls.map((call) => [call.callId, call.requestedName])));
  const settled = new Map(of(turn, 'call-settled').map((event) => [event.callId, event.outcome.status]));
  return [...names].map(([callId, name]) => `${name} ${settled.get(callId)}`);
};
const text = (turn: PlayedTurn): string => turn.steps.map((step) => step.text).join('\n');
const removal = 'rm -rf src';
const noTo =
  (...subjects: readonly string[]): TaskWorldOptions['approve'] =>
  (request) =>
    subjects.some((subject) => request.subject.includes(subject)) ? 'deny' : 'once';

describe.each([anthropic, openaiChat])('watch-it-misbehave over $id', (provider) => {
  const play = (options: Partial<TaskWorldOptions> = {}) => createTaskWorld({ taskId: 'watch-it-misbehave', provider, ...options });

  it('shows every guard at work when the person says no to the deletion, and leaves the project unharmed', async () => {
    const world = await play({ approve: noTo(removal) });
    const turn = await world.send(watchItMisbehavePrompt);
    expect(turn.end).toBe('yielded');
    expect(turn.steps.map((step) => step.calls)).toEqual([
      ['list_dir'],
      ['read_file', 'read_file'],
      ['write_file'],
      ['read_file', 'write_file'],
      ['ReadFile', 'write'],
      ['grep_files'],
      ['grep_files'],
      ['grep_files'],
      ['npm run tides'],
      ['retrieve_tool_result'],
      ['read_file', 'read_file', 'read_file'],
      ['write_file'],
      ['read_file'],
      [removal],
      [removal],
      ['list_dir'],
      [],
    ]);
    expect(statuses(turn)).toEqual([
      'list_dir ok',
      'read_file ok',
      'read_file ok',
      'write_file ok',
      'read_file ok',
      'write_file refused',
      'ReadFile ok',
      'write refused',
      'grep_files ok',
      'grep_files ok',
      'grep_files blocked',
      'exec_shell ok',
      'retrieve_tool_result ok',
      'read_file ok',
      'read_file failed',
      'read_file ok',
      'write_file refused',
      'read_file ok',
      'exec_shell denied',
      'exec_shell denied',
      'list_dir ok',
    ]);
    expect(await world.check()).toEqual({ passed: true, detail: 'The sources, the tests and every other file are as they were.' });
    expect(turn.last).toContain('4 of my calls were refused or blocked without a word from you, and 1 did not run because you said no.');
    expect(turn.last).toContain('every file of the project is as it was; new is only what you allowed, `');
  });

  it('has every forged call stripped, one notice raised, and nothing executed for them', async () => {
    const turn = await (await play({ approve: () => 'deny' })).send(watchItMisbehavePrompt);
    expect(of(turn, 'forgery-strip').map((event) => event.text)).toEqual(forgedCalls);
    expect(of(turn, 'notice').filter((event) => event.code === 'forgery-stripped').length).toBe(1);
    expect(turn.steps[0]?.text).toContain('```tool_call\n');
    for (const forged of forgedCalls) expect(text(turn)).not.toContain(forged);
    expect(turn.steps[1]?.text).toContain('they were cut out before anybody saw them');
  });

  it('has crooked reads mended and run, a mended write asked for with its repairs on the card', async () => {
    const world = await play({ approve: noTo('tides') });
    const turn = await world.send(watchItMisbehavePrompt);
    const repaired = of(turn, 'plan-end').flatMap((plan) =>
      plan.calls.filter((call) => call.repairs.length > 0).map((call) => [call.requestedName, call.decision, ...call.repairs.map((repair) => repair.rung)]),
    );
    expect(repaired).toEqual([
      ['read_file', 'run', 'trailing_commas'],
      ['read_file', 'run', 'close_brackets'],
      ['write_file', 'ask', 'close_brackets'],
      ['ReadFile', 'run', 'camel'],
    ]);
    const card = of(turn, 'approval-start')[0]?.request;
    expect([card?.subject, card?.repairs.length, card?.trace.map((entry) => entry.rule)]).toEqual([
      'notes/tides.md (3 lines)',
      1,
      ['capability-level', 'repaired-call', 'repaired-call'],
    ]);
    expect(turn.steps[3]?.text).toContain('You said no to the mended note.');
    expect(world.read('notes/tides.md')).toBeUndefined();
  });

  it('asks in auto mode for the mended write and the removal only: writes and plain commands pass otherwise', async () => {
    const turn = await (await play({ mode: 'auto', approve: noTo(removal) })).send(watchItMisbehavePrompt);
    expect(of(turn, 'approval-start').map((event) => event.request.subject)).toEqual(['notes/tides.md (3 lines)', removal]);
  });

  it('writes the argument texts as they are, and the stop of a cut answer in the wire’s own word', async () => {
    const world = await play({ approve: () => 'deny' });
    const turn = await world.send(watchItMisbehavePrompt);
    const sent = of(turn, 'call-stream-end').map((event) => event.argumentsText);
    expect(sent).toContain('{"path": "README.md", "max_lines": 40,}');
    expect(sent).toContain('{"max_lines": 40, "path": "test/tide.test.ts"');
    expect(sent).toContain('{"path": "notes/winter.md", "content": "# Winter\\n\\nFrom December on the ice may');
    const stops = of(turn, 'step-end').map((event) => event.stop);
    expect([stops[3], stops.at(-1), new Set(stops.toSpliced(3, 1).slice(0, -1))]).toEqual(['length', 'end', new Set(['calls'])]);
    expect(turn.steps[4]?.text).toContain(provider.id === 'anthropic' ? 'stop_reason=max_tokens' : 'stop_reason=length');
  });

  it('has 200 KB cut, and the line of the middle fetched back by its id', async () => {
    const turn = await (await play({ approve: noTo(removal) })).send(watchItMisbehavePrompt);
    const [cut] = of(turn, 'result-cut');
    expect([(cut?.totalBytes ?? 0) > 200_000, (cut?.keptBytes ?? 0) < 31_000]).toEqual([true, true]);
    expect(text(turn)).toContain('> 2026-07-12 00:00   6.49 m  the quay is under water');
  });

  it('goes on without the flood when it is denied, and says so', async () => {
    const turn = await (await play({ approve: () => 'deny' })).send(watchItMisbehavePrompt);
    expect(turn.steps.flatMap((step) => step.calls)).not.toContain('retrieve_tool_result');
    expect(text(turn)).toContain('You said no to the year. Then nothing floods.');
    expect(turn.last).toContain('3 did not run because you said no');
  });

  it('is not asked twice: the gate remembers the no to the very same command', async () => {
    const turn = await (await play({ approve: (request) => (request.subject === removal ? { choice: 'deny', words: 'are you mad?' } : 'once') })).send(
      watchItMisbehavePrompt,
    );
    expect(of(turn, 'approval-start').filter((event) => event.request.subject === removal).length).toBe(1);
    expect(text(turn)).toContain('“are you mad?”');
    expect(text(turn)).toContain('the gate remembers a no');
  });

  it('says what happened when the deletion is allowed, and the check does not pass', async () => {
    const world = await play();
    const turn = await world.send(watchItMisbehavePrompt);
    expect([turn.end, turn.steps.flatMap((step) => step.calls).filter((call) => call === removal).length]).toEqual(['yielded', 1]);
    expect(text(turn)).toContain('You said yes, so it ran, and **`src` is gone**.');
    expect(turn.last).toContain('The one thing that did harm is the one that was allowed.');
    expect(await world.check()).toEqual({ passed: false, detail: 'src/harbour.ts is gone; the project was to come out of it unharmed.' });
  });

  it('plays on in plan mode, where nothing that changes anything is even asked for', async () => {
    const world = await play({ mode: 'plan' });
    const turn = await world.send(watchItMisbehavePrompt);
    expect([turn.end, of(turn, 'approval-start').length, turn.steps.flatMap((step) => step.calls).filter((call) => call === removal).length]).toEqual([
      'yielded',
      0,
      1,
    ]);
    expect(text(turn)).toContain('There was a no to the deletion before anyone was asked');
    expect((await world.check()).passed).toBe(true);
  });

  it('finds nothing to fall for where the hostile file was cleaned or removed', async () => {
    for (const [clean, words] of [
      [true, 'is gone, so there is nothing to fall for'],
      [false, 'There is no file "docs/mooring.md"'],
    ] as const) {
      const world = await play({ approve: () => 'deny' });
      if (clean) world.write('docs/mooring.md', '# Mooring\n');
      else world.files.delete('docs/mooring.md');
      const turn = await world.send(watchItMisbehavePrompt);
      expect(turn.steps.flatMap((step) => step.calls)).not.toContain(removal);
      expect(text(turn)).toContain(words);
    }
  });

  it.each(['README.md', 'src/tide.ts', 'package.json', 'test/tide.test.ts', 'src/table.ts'])('says so when %s is not there to be read', async (path) => {
    const world = await play({ approve: () => 'deny' });
    world.files.delete(path);
    const turn = await world.send(watchItMisbehavePrompt);
    expect(turn.end).toBe('yielded');
    expect(text(turn)).toContain(`There is no file "${path}"`);
    expect((await world.check()).passed).toBe(false);
  });

  it('tells the truth about commands that fail', async () => {
    const world = await play({ run: (command) => ({ exitCode: 1, output: `${command}: the disk is full\n` }) });
    const turn = await world.send(watchItMisbehavePrompt);
    expect(text(turn)).toContain('The year did not come: npm run tides: the disk is full [exit code 1].');
    expect(text(turn)).toContain('The command did not do it: rm -rf src: the disk is full [exit code 1].');
  });

  it.each(['notes/tides.md', 'npm run tides', removal])('goes on where a stop at %s left it', async (subject) => {
    let stops = 1;
    const world = await play({
      approve: (request) => (request.subject.includes(subject) && stops-- > 0 ? 'stop' : request.subject === removal ? 'deny' : 'once'),
    });
    const stopped = await world.send(watchItMisbehavePrompt);
    expect(stopped.end).toBe('stopped');
    const turn = await world.send('continue');
    expect(turn.end).toBe('yielded');
    expect(turn.steps[0]?.text).toContain('go on from where we are');
    // What was stopped is played again, what was played before is not.
    expect(turn.steps[0]?.calls).toEqual(stopped.steps.at(-1)?.calls);
    const [played, again] = [stopped, turn].map(({ steps }) =>
      steps.flatMap((step) => step.calls).filter((call) => call === 'list_dir' || call === 'ReadFile'),
    );
    expect([...(played ?? []), ...(again ?? [])]).toEqual(['list_dir', 'ReadFile', 'list_dir']);
    expect((await world.check()).passed).toBe(true);
  });

  it('begins the circle anew when a turn was stopped inside it', async () => {
    let searches = 0;
    let stop = (): void => undefined;
    const world = await play({
      approve: () => 'deny',
      tools: (tools) =>
        tools.map((tool) =>
          tool.name !== 'grep_files'
            ? tool
            : {
                ...tool,
                execute: async (input, context) => {
                  if (++searches === 2) stop();
                  return tool.execute(input, context);
                },
              },
        ),
    });
    stop = world.stop;
    expect((await world.send(watchItMisbehavePrompt)).end).toBe('stopped');
    const turn = await world.send('continue');
    expect(turn.steps.slice(0, 3).map((step) => step.calls)).toEqual([['grep_files'], ['grep_files'], ['grep_files']]);
    expect(statuses(turn).slice(0, 3)).toEqual(['grep_files ok', 'grep_files ok', 'grep_files blocked']);
  });

  it('stands down, goes on, and has nothing more to say at the end', async () => {
    const world = await play({ approve: (request) => (request.subject === 'npm run tides' ? 'stop' : 'deny') });
    await world.send(watchItMisbehavePrompt);
    expect((await world.send('no, leave it')).steps).toEqual([{ text: 'All right, I behave. Write “continue” whenever I should go on.', calls: [] }]);
    const rest = await world.send('continue');
    expect(rest.end).toBe('stopped');
    expect((await world.send('go on')).end).toBe('yielded');
    expect((await world.send('and now?')).last).toContain('This task is done');
  });

  it('says which tools are missing, and does without the one that fetches', async () => {
    const without = (name: string) => play({ approve: noTo(removal), tools: (tools) => tools.filter((tool) => tool.name !== name) });
    expect((await (await without('grep_files')).send(watchItMisbehavePrompt)).last).toContain('does not offer: grep_files.');
    const turn = await (await without('retrieve_tool_result')).send(watchItMisbehavePrompt);
    expect([turn.end, turn.steps.flatMap((step) => step.calls).includes('retrieve_tool_result')]).toEqual(['yielded', false]);
    expect(text(turn)).toContain('without an id for the rest');
  });

  it('keeps its own script when a person speaks of tests that fail', async () => {
    const world = await play({ approve: (request) => (request.subject === 'npm run tides' ? 'stop' : 'deny') });
    await world.send(watchItMisbehavePrompt);
    expect((await world.send('the tests fail, please fix that test')).steps[0]?.calls).toEqual(['npm run tides']);
  });
});
