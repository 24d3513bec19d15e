import { describe, expect, it } from 'vitest';
import { fixTheTestPrompt } from '@/lib/practice/scripts/fix-the-test';
import * as words from '@/lib/practice/scripts/fix-the-test-words';
import { anthropic } from '@/lib/providers/anthropic';
import { openaiChat } from '@/lib/providers/openai-chat';
import { cancelled, createSession, deniedByPerson, type Override, type PlayedStep, type WorldAnswer, whale } from '@/test/support/practice-world';

const shape = (steps: readonly PlayedStep[]): readonly string[][] =>
  steps.map((step) => step.calls.map((call) => (call.name === 'exec_shell' ? String(call.input['command']) : call.name)));
const last = (steps: readonly PlayedStep[]): string => steps.at(-1)?.text ?? '';
const when =
  (subject: string, ...answers: readonly (WorldAnswer | undefined)[]): Override =>
  (call) => {
    if ((call.name === 'exec_shell' ? call.input['command'] : call.name) !== subject) return undefined;
    const [next] = answers;
    if (answers.length > 1) (answers as WorldAnswer[]).shift();
    return next;
  };
const failed = (content: string): WorldAnswer => ({ content, isError: true });
const look = [
  ['update_plan', 'list_dir'],
  ['read_file', 'read_file', 'read_file', 'grep_files'],
];
const report = [['update_plan', 'npm run report'], ['retrieve_tool_result'], ['update_plan'], []];

describe.each([anthropic, openaiChat])('the script of fix-the-test over $id', (provider) => {
  it('looks, mends, tests, reports, fetches the cut line back and tells', async () => {
    const session = createSession(provider);
    const steps = await session.turn(fixTheTestPrompt);
    expect(shape(steps)).toEqual([...look, ['edit_file'], ['npm test'], ...report]);
    expect(session.world.isFixed()).toBe(true);
    expect(last(steps)).toContain(`> ${whale}`);
    expect(last(steps)).toContain('spill-7-abc');
    expect(steps[4]?.calls[0]?.input['plan']).toEqual([
      { step: 'Look at the project and its failing test', status: 'completed' },
      { step: 'Mend the bug in src/duration.ts', status: 'completed' },
      { step: 'Run the tests', status: 'completed' },
      { step: 'Find the whale in the season report', status: 'in_progress' },
    ]);
    expect(steps[6]?.calls[0]?.input['plan']).toEqual(words.planSteps.map((step) => ({ step, status: 'completed' })));
  });

  it('says after the end that it is a script, whatever it is asked', async () => {
    const session = createSession(provider);
    await session.turn(fixTheTestPrompt);
    for (const text of ['What is the weather?', 'continue']) {
      const steps = await session.turn(text);
      expect(shape(steps)).toEqual([[]]);
      expect(last(steps)).toContain('This task is done');
    }
  });

  it('acknowledges the words of a denied edit, proposes the change in text and yields', async () => {
    const session = createSession(provider);
    const steps = await session.turn(fixTheTestPrompt, when('edit_file', deniedByPerson('edit_file', 'Please. Do not touch my “file”')));
    expect(shape(steps)).toEqual([...look, ['edit_file'], []]);
    expect(last(steps)).toContain('“Please. Do not touch my “file””');
    expect(last(steps)).toContain('-  const minutes = Math.round(totalMinutes % 60);\n+  const rounded = Math.round(totalMinutes);');
    expect(session.world.isFixed()).toBe(false);
  });

  it('asks once more for a denied edit when told to go on, with another call, and never a third time', async () => {
    const session = createSession(provider);
    const no = when('edit_file', deniedByPerson('edit_file'));
    const first = await session.turn(fixTheTestPrompt, no);
    expect(last(first)).toMatch(/^You said no to the edit\. `src\/duration\.ts` is as it was/);
    const second = await session.turn('continue', no);
    expect(shape(second)).toEqual([['read_file'], ['edit_file'], []]);
    expect(second[0]?.text).toContain('go on from where we are');
    expect(second[1]?.calls[0]?.input).not.toEqual(first[2]?.calls[0]?.input);
    const third = await session.turn('continue', no);
    expect(shape(third)).toEqual([['read_file'], []]);
    expect(last(third)).toContain('so I do not ask again');
  });

  it('applies the second edit to the same effect', async () => {
    const session = createSession(provider);
    await session.turn(fixTheTestPrompt, when('edit_file', deniedByPerson('edit_file')));
    const steps = await session.turn('yes, go on');
    expect(shape(steps)).toEqual([['read_file'], ['edit_file'], ['npm test'], ...report]);
    expect(session.world.isFixed()).toBe(true);
  });

  it('names the rule when nobody was asked', async () => {
    const steps = await createSession(provider).turn(
      fixTheTestPrompt,
      when(
        'edit_file',
        failed(
          'edit_file was not executed: this call is denied. In plan mode nothing may change, and edit_file is not read-only. Only this call is denied, not the tool: go on without it, or ask the person.',
        ),
      ),
    );
    expect(last(steps)).toContain('In plan mode nothing may change');
  });

  it('yields without a verdict when the test run is denied, and asks once more under another spelling', async () => {
    const session = createSession(provider);
    const steps = await session.turn(fixTheTestPrompt, when('npm test', deniedByPerson('exec_shell', 'not now')));
    expect(shape(steps)).toEqual([...look, ['edit_file'], ['npm test'], []]);
    expect(last(steps)).toContain('“not now”');
    expect(last(steps)).toContain('I could not verify it');
    const again = await session.turn('continue', when('npm run test', deniedByPerson('exec_shell')));
    expect(shape(again)).toEqual([['read_file'], ['npm run test'], []]);
    const third = await session.turn('continue');
    expect(shape(third)).toEqual([['read_file'], []]);
    expect(last(third)).toContain('Run `npm test` in the terminal');
  });

  it('reads again and retries once when the edit fails', async () => {
    const session = createSession(provider);
    const steps = await session.turn(
      fixTheTestPrompt,
      when('edit_file', failed('edit_file was not executed: src/duration.ts changed since it was read. Nothing was changed.'), undefined),
    );
    expect(shape(steps)).toEqual([...look, ['edit_file'], ['read_file'], ['edit_file'], ['npm test'], ...report]);
    expect(session.world.isFixed()).toBe(true);
  });

  it('fits the second edit to what the file says now', async () => {
    const session = createSession(provider);
    const steps = await session.turn(fixTheTestPrompt, (call) => {
      if (call.name === 'edit_file' && String(call.input['search']).includes('totalMinutes'))
        session.world.change((text) => text.replaceAll('totalMinutes', 'length'));
      return undefined;
    });
    expect(steps[4]?.calls[0]?.input['search']).toBe('  const hours = Math.floor(length / 60);\n  const minutes = Math.round(length % 60);');
    expect(shape(steps).slice(2, 6)).toEqual([['edit_file'], ['read_file'], ['edit_file'], ['npm test']]);
  });

  it('leaves it at two failed edits', async () => {
    const steps = await createSession(provider).turn(fixTheTestPrompt, when('edit_file', failed('The disk is full.')));
    expect(shape(steps)).toEqual([...look, ['edit_file'], ['read_file'], ['edit_file'], []]);
    expect(last(steps)).toContain('failed a second time: The disk is full.');
  });

  it('edits nothing when the bug is mended already', async () => {
    const session = createSession(provider);
    session.world.change((text) =>
      text
        .replace('Math.floor(totalMinutes / 60)', 'Math.floor(whole / 60)')
        .replace('Math.round(totalMinutes % 60)', 'whole % 60')
        .replace('  const hours', '  const whole = Math.round(totalMinutes);\n  const hours'),
    );
    const steps = await session.turn(fixTheTestPrompt);
    expect(shape(steps)).toEqual([...look, ['npm test'], ...report]);
    expect(last(steps)).toContain('mended before I came to it');
  });

  it('does not guess at a source that it does not know', async () => {
    const session = createSession(provider);
    session.world.change(() => 'export const formatDuration = () => "soon";\n');
    const steps = await session.turn(fixTheTestPrompt);
    expect(shape(steps)).toEqual([...look, []]);
    expect(last(steps)).toContain('no longer holds the lines this script knows');
  });

  it('tries a source that it cannot read twice, then stops', async () => {
    const steps = await createSession(provider).turn(fixTheTestPrompt, (call) =>
      call.name === 'read_file' && call.input['path'] === 'src/duration.ts' ? failed('There is no file src/duration.ts.') : undefined,
    );
    expect(shape(steps)).toEqual([...look, ['read_file'], []]);
    expect(last(steps)).toContain('There is no file src/duration.ts.');
  });

  it('reads the output of failing tests and claims no success', async () => {
    const session = createSession(provider);
    const red = failed('ok 1 - fine\nnot ok 2 - a boat that leaves late\n# fail 1\n[exit code 1]');
    const steps = await session.turn(fixTheTestPrompt, when('npm test', red));
    expect(shape(steps)).toEqual([...look, ['edit_file'], ['npm test'], []]);
    expect(last(steps)).toContain('exit code 1');
    expect(last(steps)).toContain('not ok 2 - a boat that leaves late');
    const again = await session.turn('I mended the other one, continue');
    expect(shape(again)).toEqual([['read_file'], ['npm test'], ...report]);
  });

  it('says when the tests did not run to their end', async () => {
    const steps = await createSession(provider).turn(
      fixTheTestPrompt,
      when(
        'npm test',
        failed('exec_shell was stopped: it took longer than 120000 ms. Its effect is unknown; check before repeating, with less work or a longer timeout.'),
      ),
    );
    expect(last(steps)).toContain('The tests did not run to their end: exec_shell was stopped');
  });

  it('skips the report when it is denied', async () => {
    const session = createSession(provider);
    const steps = await session.turn(fixTheTestPrompt, when('npm run report', deniedByPerson('exec_shell', 'too long')));
    expect(shape(steps)).toEqual([...look, ['edit_file'], ['npm test'], ['update_plan', 'npm run report'], ['update_plan'], []]);
    expect(last(steps)).toContain('you said no to the report: “too long”');
    expect(last(await session.turn('and now?'))).toContain('This task is done');
  });

  it('says that the search brought nothing when the retrieval fails', async () => {
    const steps = await createSession(provider).turn(fixTheTestPrompt, when('retrieve_tool_result', failed('No stored result has the id "spill-7-abc".')));
    expect(last(steps)).toContain('brought nothing: No stored result has the id "spill-7-abc".');
  });

  it('promises nothing when the cut names no id', async () => {
    const steps = await createSession(provider).turn(fixTheTestPrompt, when('npm run report', { content: 'head\n[The rest could not be saved]\ntail' }));
    expect(shape(steps)).toEqual([...look, ['edit_file'], ['npm test'], ['update_plan', 'npm run report'], ['update_plan'], []]);
    expect(last(steps)).toContain('no id under which the rest is kept');
  });

  it.each([
    [
      'the plan',
      (step: PlayedStep) => step.calls[0]?.name === 'update_plan',
      [['read_file', 'read_file', 'read_file', 'grep_files'], ['edit_file'], ['npm test'], ...report],
    ],
    ['the reads', (step: PlayedStep) => step.calls.length === 4, [['read_file'], ['edit_file'], ['npm test'], ...report]],
    ['the edit', (step: PlayedStep) => step.calls[0]?.name === 'edit_file', [['read_file'], ['edit_file'], ['npm test'], ...report]],
    ['the test run', (step: PlayedStep) => step.calls[0]?.input['command'] === 'npm test', [['read_file'], ['npm test'], ...report]],
    ['the report', (step: PlayedStep) => step.calls[1]?.input['command'] === 'npm run report', report],
    ['the retrieval', (step: PlayedStep) => step.calls[0]?.name === 'retrieve_tool_result', report.slice(1)],
  ])('goes on where it was stopped, at %s', async (_, stopWhen, rest) => {
    const session = createSession(provider);
    let stopping = false;
    const stopped = await session.turn(
      fixTheTestPrompt,
      (call) => {
        stopping ||=
          stopWhen({ text: '', calls: [call] }) ||
          (call.name === 'read_file' && stopWhen({ text: '', calls: [call, call, call, call] })) ||
          (call.input['command'] === 'npm run report' && stopWhen({ text: '', calls: [call, call] }));
        return stopping ? cancelled : undefined;
      },
      (step) => stopWhen(step),
    );
    expect(stopWhen(stopped.at(-1) as PlayedStep)).toBe(true);
    const steps = await session.turn('continue');
    expect(shape(steps)).toEqual(rest);
    expect(steps[0]?.text).toContain('go on from where we are');
    expect(last(steps)).toContain(whale);
  });

  it('finds out by itself that a cancelled edit had its effect', async () => {
    const session = createSession(provider);
    await session.turn(
      fixTheTestPrompt,
      (call) => {
        if (call.name !== 'edit_file') return undefined;
        session.world.answer(call);
        return failed('Cancelled (the tab closed): it had been started, its effect is unknown, check before repeating');
      },
      (step) => step.calls[0]?.name === 'edit_file',
    );
    expect(shape(await session.turn('weiter'))).toEqual([['read_file'], ['npm test'], ...report]);
  });

  it('stands down when a person says no in a new turn', async () => {
    const session = createSession(provider);
    await session.turn(fixTheTestPrompt, when('edit_file', deniedByPerson('edit_file')));
    const steps = await session.turn('no, leave it');
    expect(shape(steps)).toEqual([[]]);
    expect(last(steps)).toContain('I leave everything as it is');
  });

  it('does without the tools that it can do without', async () => {
    const steps = await createSession(provider, undefined, ['read_file', 'edit_file', 'exec_shell']).turn(fixTheTestPrompt);
    expect(shape(steps)).toEqual([['read_file', 'read_file', 'read_file'], ['edit_file'], ['npm test'], ['npm run report'], []]);
  });

  it('says which tools are missing', async () => {
    const steps = await createSession(provider, undefined, ['read_file', 'exec_shell']).turn(fixTheTestPrompt);
    expect(shape(steps)).toEqual([[]]);
    expect(last(steps)).toContain('does not offer: edit_file.');
  });

  it('says what practice can do when it is asked for something else, and still begins when the task comes', async () => {
    const session = createSession(provider);
    const hello = await session.turn('hello');
    expect(last(hello)).toContain('“Fix the failing test”');
    expect(shape(await session.turn(fixTheTestPrompt))[0]).toEqual(['update_plan', 'list_dir']);
  });

  it.each(['edit_file', 'npm test', 'npm run report', 'retrieve_tool_result', 'read_file', 'update_plan', 'list_dir', 'grep_files'])(
    'comes to an end whatever becomes of %s, over five turns',
    async (subject) => {
      for (const answer of [
        failed('Something went wrong.'),
        cancelled,
        deniedByPerson('it'),
        { content: '' },
        failed('it was not executed: this is the same call with the same arguments for the third time in this turn.'),
      ]) {
        const session = createSession(provider);
        for (const text of [fixTheTestPrompt, 'continue', 'go on', 'again', 'continue'])
          expect((await session.turn(text, when(subject, answer))).length).toBeLessThanOrEqual(10);
      }
    },
  );
});
