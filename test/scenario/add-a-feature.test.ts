import { describe, expect, it } from 'vitest';
import type { EngineEvent } from '@/lib/contracts/events';
import { addAFeaturePrompt } from '@/lib/practice/scripts/add-a-feature';
import { boatsText } from '@/lib/practice/scripts/boats-feature';
import { anthropic } from '@/lib/providers/anthropic';
import { openaiChat } from '@/lib/providers/openai-chat';
import { createTaskWorld, type PlayedTurn, type Said, type TaskWorldOptions } from '@/test/support/task-world';

const of = <Type extends EngineEvent['type']>(turn: PlayedTurn, type: Type) =>
  turn.events.filter((event) => event.type === type) as Extract<EngineEvent, { type: Type }>[];
const shape = (turn: PlayedTurn) => turn.steps.map((step) => step.calls);
const text = (turn: PlayedTurn): string => turn.steps.map((step) => step.text).join('\n');

const look = [
  ['update_plan', 'list_dir'],
  ['read_file', 'read_file', 'read_file', 'read_file', 'read_file'],
];
const building = [['write_file'], ['edit_file'], ['apply_patch'], ['npm test']];
const committing = [['update_plan', 'git_status', 'git_diff'], ['git_add'], ['git_commit'], ['update_plan'], []];
const whole = [...look, ['request_user_input'], ...building, ...committing];

/** The person says no to a tool or command, so often, then yes. */
const noTo = (tool: string, times = Number.POSITIVE_INFINITY, words?: string): TaskWorldOptions['approve'] => {
  let left = times;
  return (request): Said => {
    const isIt = request.tool === tool || request.subject === tool;
    if (!isIt || left-- <= 0) return 'once';
    return words === undefined ? 'deny' : { choice: 'deny', words };
  };
};

describe.each([anthropic, openaiChat])('add-a-feature over $id', (provider) => {
  const play = (options: Partial<TaskWorldOptions> = {}) => createTaskWorld({ taskId: 'add-a-feature', provider, ...options });

  it('plans, reads, asks, builds below the report, tests and commits', async () => {
    const world = await play();
    const turn = await world.send(addAFeaturePrompt);
    expect([turn.end, shape(turn)]).toEqual(['yielded', whole]);
    expect(world.read('src/report.ts')).toContain("console.log('');\nfor (const total of boatTotals(log)) console.log(boatLine(total));");
    expect([world.read('src/boats-report.ts'), world.read('package.json')?.includes('"boats"')]).toEqual([undefined, false]);
    expect(world.read('README.md')).toContain('- `src/boats.ts` adds up what each boat did.');
    expect(text(turn)).toContain('> Tell what each boat did over the season\n');
    expect(turn.last).toContain('**Committed** ');
    expect(await world.check()).toEqual({
      passed: true,
      detail: 'The boats are added up, printed, tested and committed: Tell what each boat did over the season.',
    });
    expect((await world.send('and now?')).steps.map((step) => step.text)).toEqual([expect.stringContaining('This task is done')]);
  });

  it('builds a command of its own when the person chooses that', async () => {
    const world = await play({ answer: ([, second]) => ({ choices: [second as string] }) });
    const turn = await world.send(addAFeaturePrompt);
    expect(shape(turn)).toEqual(whole);
    expect(world.read('src/boats-report.ts')).toContain('boatTotals(crossings())');
    expect(world.read('package.json')).toContain('"boats": "node src/boats-report.ts"');
    expect(world.read('src/report.ts')).not.toContain('boatLine');
    expect(turn.last).toContain('`npm run boats` prints one line a boat');
    expect((await world.check()).passed).toBe(true);
  });

  it('takes the smaller change, and says so, when the person does not want to say', async () => {
    const turn = await (await play({ answer: () => undefined })).send(addAFeaturePrompt);
    expect(shape(turn)).toEqual(whole);
    expect(text(turn)).toContain('You did not choose, so I take the smaller change: below the report.');
  });

  it('understands words that name an option, and asks back about others', async () => {
    const own = await play({ answer: () => ({ choices: [], words: 'a separate command please' }) });
    await own.send(addAFeaturePrompt);
    expect(own.read('src/boats-report.ts')).toBeDefined();

    const world = await play({ answer: () => ({ choices: [], words: 'on the wall' }) });
    const turn = await world.send(addAFeaturePrompt);
    expect(shape(turn)).toEqual([...look, ['request_user_input'], []]);
    expect(turn.last).toContain('You answered “on the wall”.');
    const next = await world.send('its own command');
    expect(shape(next)).toEqual([['read_file', 'read_file', 'read_file'], ...building, ...committing]);
    expect(world.read('src/boats-report.ts')).toBeDefined();
  });

  it('shows the file of a denied write, asks once more with another call, and never a third time', async () => {
    const world = await play({ approve: noTo('write_file', 2, 'not like this') });
    const first = await world.send(addAFeaturePrompt);
    expect(shape(first)).toEqual([...look, ['request_user_input'], ['write_file'], []]);
    expect(first.last).toContain('“not like this”');
    expect(first.last).toContain(boatsText(0));
    const second = await world.send('continue');
    expect(shape(second)).toEqual([['read_file', 'read_file', 'read_file', 'read_file'], ['write_file'], []]);
    expect(second.steps[1]?.text).toContain('So I ask a second time for the new file');
    const third = await world.send('continue');
    expect(shape(third).at(-1)).toEqual([]);
    expect([third.last.includes('so I do not ask again'), of(third, 'approval-start').length, world.read('src/boats.ts')]).toEqual([true, 0, undefined]);
  });

  it('goes on without the line in the README, and says so at the end', async () => {
    const world = await play({ approve: noTo('edit_file') });
    const turn = await world.send(addAFeaturePrompt);
    expect(shape(turn)).toEqual(whole);
    expect(turn.last).toContain('**The README** does not mention it: You said no to that edit.');
    expect((await world.check()).passed).toBe(true);
  });

  it('applies the patch in other words after one no', async () => {
    const world = await play({ approve: noTo('apply_patch', 1) });
    const first = await world.send(addAFeaturePrompt);
    expect(first.last).toContain('```diff\ndiff --git a/src/report.ts b/src/report.ts\n');
    const second = await world.send('yes, go on');
    expect(shape(second).slice(1)).toEqual([['apply_patch'], ['npm test'], ...committing]);
    expect((await world.check()).passed).toBe(true);
  });

  it('does not commit what it could not verify, and asks for the tests once more under another spelling', async () => {
    const world = await play({ approve: noTo('npm test') });
    const first = await world.send(addAFeaturePrompt);
    expect(shape(first)).toEqual([...look, ['request_user_input'], ...building, []]);
    expect(first.last).toContain('I do not commit what I could not verify');
    const second = await world.send('continue');
    expect(shape(second).slice(1)).toEqual([['npm run test'], ...committing]);
  });

  it('commits nothing that fails, and looks again when told', async () => {
    let red = true;
    const world = await play({
      run: (command) => (red && command.startsWith('npm test') ? { exitCode: 1, output: 'not ok 3 - a boat sinks\n# fail 1\n' } : undefined),
    });
    const first = await world.send(addAFeaturePrompt);
    expect(shape(first)).toEqual([...look, ['request_user_input'], ...building, []]);
    expect(first.last).toContain('not ok 3 - a boat sinks');
    expect((await world.check()).detail).toContain('exit code 1');
    red = false;
    expect(shape(await world.send('mended it, continue')).slice(1)).toEqual([['npm test'], ...committing]);
  });

  it('leaves the commit to the person after two noes', async () => {
    const world = await play({ approve: noTo('git_commit', 2) });
    expect((await world.send(addAFeaturePrompt)).last).toContain('You said no to the commit.');
    const second = await world.send('continue');
    expect([shape(second), second.last.includes('You said no to the commit.')]).toEqual([[['git_commit'], []], true]);
    expect((await world.send('continue')).last).toContain('I have asked for the commit twice');
    expect((await world.check()).passed).toBe(false);
  });

  it('asks for the staging once more too', async () => {
    const world = await play({ approve: noTo('git_add', 1) });
    await world.send(addAFeaturePrompt);
    const second = await world.send('continue');
    expect(shape(second)).toEqual([['update_plan', 'git_status', 'git_diff'], ['git_add'], ['git_commit'], ['update_plan'], []]);
    expect((await world.check()).passed).toBe(true);
  });

  it('reads again when a file changed under the patch, and fits the next one to it', async () => {
    const world = await play({
      approve: (request) => {
        if (request.tool === 'edit_file') world.write('src/report.ts', `// The season, line by line.\n${world.read('src/report.ts')}`);
        return 'once';
      },
    });
    const turn = await world.send(addAFeaturePrompt);
    expect(shape(turn)).toEqual([
      ...look,
      ['request_user_input'],
      ['write_file'],
      ['edit_file'],
      ['apply_patch'],
      ['read_file'],
      ['apply_patch'],
      ['npm test'],
      ...committing,
    ]);
    expect((await world.check()).passed).toBe(true);
  });

  it('does not overwrite a file of the same name that it did not make', async () => {
    const world = await play();
    world.write('src/boats.ts', 'export const mine = true;\n');
    const turn = await world.send(addAFeaturePrompt);
    expect(shape(turn)).toEqual([...look, ['request_user_input'], ['write_file'], ['read_file'], []]);
    expect(turn.last).toContain('`src/boats.ts` is not as this script knows it');
    expect(world.read('src/boats.ts')).toBe('export const mine = true;\n');
  });

  it('does not guess at a report that it does not know', async () => {
    const world = await play();
    world.write('src/report.ts', 'console.log("soon");\n');
    const turn = await world.send(addAFeaturePrompt);
    expect(shape(turn)).toEqual([...look, ['request_user_input'], ['write_file'], ['edit_file'], []]);
    expect(turn.last).toContain('`src/report.ts` is not as this script knows it');
  });

  it.each(['write_file', 'edit_file', 'apply_patch', 'npm test', 'git_add', 'git_commit'])('goes on where a stop at %s left it', async (subject) => {
    let stops = 1;
    const world = await play({ approve: (request) => ((request.tool === subject || request.subject === subject) && stops-- > 0 ? 'stop' : 'once') });
    expect((await world.send(addAFeaturePrompt)).end).toBe('stopped');
    const turn = await world.send('continue');
    expect([turn.end, turn.steps[0]?.text.includes('go on from where we are')]).toEqual(['yielded', true]);
    expect(turn.steps.flatMap((step) => step.calls)).toContain(subject);
    expect((await world.check()).passed).toBe(true);
  });

  it('asks again when a stop took the question away', async () => {
    let stop = (): void => undefined;
    let asked = 0;
    const world = await play({
      answer: ([first]) => {
        if (++asked === 1) stop();
        return { choices: [first as string] };
      },
    });
    stop = world.stop;
    expect((await world.send(addAFeaturePrompt)).end).toBe('stopped');
    const turn = await world.send('continue');
    expect(shape(turn).slice(0, 2)).toEqual([['read_file', 'read_file', 'read_file'], ['request_user_input']]);
    expect((await world.check()).passed).toBe(true);
  });

  it('comes to an end whatever becomes of a tool, over five turns', async () => {
    for (const name of [
      'update_plan',
      'list_dir',
      'read_file',
      'request_user_input',
      'write_file',
      'edit_file',
      'apply_patch',
      'git_status',
      'git_diff',
      'git_add',
      'git_commit',
    ]) {
      const world = await play({
        tools: (tools) =>
          tools.map((tool) =>
            tool.name === name ? { ...tool, execute: async () => ({ ok: false, error: 'execution-failed' as const, content: 'Something went wrong.' }) } : tool,
          ),
      });
      for (const said of [addAFeaturePrompt, 'continue', 'go on', 'again', 'continue']) {
        const turn = await world.send(said);
        expect([name, turn.end, turn.steps.length < 18]).toEqual([name, 'yielded', true]);
      }
    }
  });

  it('stands down, and says which tools are missing', async () => {
    const world = await play({ approve: noTo('write_file', 1) });
    await world.send(addAFeaturePrompt);
    expect((await world.send('no, leave it')).last).toContain('I leave everything as it is');
    const poor = await play({ tools: (tools) => tools.filter((tool) => !['apply_patch', 'git_commit'].includes(tool.name)) });
    expect((await poor.send(addAFeaturePrompt)).last).toContain('does not offer: apply_patch, git_commit. Nothing was done.');
  });
});
