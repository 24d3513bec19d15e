import { expect, test } from 'vitest';
import type { QuestionId } from '@/lib/contracts/ids';
import type { QuestionAnswer, QuestionRequest } from '@/lib/contracts/question';
import type { JsonObject } from '@/lib/shared/json';
import { createMemoryStores } from '@/lib/storage/memory-stores';
import { checklistList } from '@/lib/tools/session/checklist-list';
import { checklistUpdate } from '@/lib/tools/session/checklist-update';
import { checklistWrite } from '@/lib/tools/session/checklist-write';
import { notify } from '@/lib/tools/session/notify';
import { requestUserInput } from '@/lib/tools/session/request-user-input';
import { createEngineWorld, type EngineWorld, said, type TestCall, testTool } from '@/test/support/engine-world';
import { id } from '@/test/support/event-list';

const colour: JsonObject = { question: 'Which colour?', options: [{ label: 'Red', description: 'as before' }, { label: 'Blue' }] };
const parts: JsonObject = { question: 'Which parts?', options: [{ label: 'Head' }, { label: 'Tail' }, { label: 'Both' }], allow_several: true };
const ask: TestCall = { name: 'request_user_input', input: { questions: [colour, parts] } };
const results = (world: EngineWorld) => world.of('result-push').map((event) => event.content);

async function session(steps: readonly (readonly TestCall[])[], more: Parameters<typeof createEngineWorld>[0]['tools'] = []) {
  let next = 0;
  const world = await createEngineWorld({
    tools: [requestUserInput, ...more],
    model: () => (next < steps.length ? { calls: steps[next++] as TestCall[] } : { text: 'done' }),
  });
  const answer = async (request: QuestionRequest | undefined, answers: QuestionAnswer['answers']) => {
    const given = { questionId: request?.questionId ?? id<QuestionId>('question-none'), ...(answers === undefined ? {} : { answers }) };
    const said = await world.engine.command({ type: 'question-answer', sessionId: world.sessionId, answer: given });
    await world.clock.settle();
    return said.ok && said.value.counted;
  };
  return { world, answer, form: () => world.of('question-start').at(-1)?.request };
}

test('a form waits for hours, and what was chosen and said comes back once', async () => {
  const { world, answer, form } = await session([[ask]]);
  await world.send('go');
  expect(form()).toMatchObject({
    questions: [
      { ...colour, several: false },
      { question: parts.question, options: parts.options, several: true },
    ],
  });
  await world.clock.advance(5 * 3_600_000);
  expect(world.of('call-settled')).toEqual([]);
  const answers = [{ choices: ['Blue'] }, { choices: ['Head', 'Tail'], words: ' and the middle ' }];
  expect(await answer(form(), answers)).toBe(true);
  expect(await answer(form(), answers)).toBe(false);
  expect(results(world)).toEqual(['The person answered:\nWhich colour?\n  "Blue"\nWhich parts?\n  "Head", "Tail"; in their words: and the middle']);
  expect(world.of('question-end').map((event) => event.outcome)).toEqual([
    { kind: 'answered', answers: [{ choices: ['Blue'] }, { choices: ['Head', 'Tail'], words: 'and the middle' }] },
  ]);
  expect(world.of('turn-end').map((event) => event.end)).toEqual(['yielded']);
});

test('an answer that does not fit its question does nothing', async () => {
  const { world, answer, form } = await session([[ask]]);
  await world.send('go');
  const fine = { choices: ['Head'] };
  for (const answers of [
    [],
    [fine],
    [{ choices: ['Green'] }, fine],
    [{ choices: ['Red', 'Blue'] }, fine],
    [{ choices: [] }, fine],
    [{ choices: [], words: ' ' }, fine],
    [{ choices: ['Red'] }, { choices: ['Head', 'Head'] }],
  ])
    expect(await answer(form(), answers)).toBe(false);
  expect(await answer(undefined, [{ choices: ['Red'] }, fine])).toBe(false);
  expect(world.of('question-end')).toEqual([]);
  expect(await answer(form(), [{ choices: [], words: 'green, please' }, fine])).toBe(true);
  expect(results(world)[0]).toContain('in their words: green, please');
});

test('a person may decline, and the model is told to decide itself', async () => {
  const { world, answer, form } = await session([[ask]]);
  await world.send('go');
  expect(await answer(form(), undefined)).toBe(true);
  expect(results(world)).toEqual(['The person does not want to answer. Decide yourself, say what you decided and why, and do not ask the same again.']);
});

test('stopping the turn takes the form back', async () => {
  const { world, answer, form } = await session([[ask]]);
  await world.send('go');
  await world.engine.command({ type: 'turn-stop', sessionId: world.sessionId });
  await world.clock.settle();
  expect(world.of('question-end').map((event) => event.outcome)).toEqual([{ kind: 'cancelled' }]);
  expect(await answer(form(), [{ choices: ['Red'] }, { choices: ['Head'] }])).toBe(false);
  expect(results(world)).toEqual(['Cancelled (the turn was stopped): it had been started, its effect is unknown, check before repeating']);
});

test('a form holds no lock: another session of the workspace can write meanwhile', async () => {
  const write = testTool('write_it', ['writes-files'], async () => said('written'));
  const world = await createEngineWorld({
    tools: [requestUserInput, write],
    mode: 'auto-edit',
    model(request) {
      const last = request.messages.at(-1);
      if (last?.role !== 'user') return { text: 'done' };
      return { calls: last.text === 'ask' ? [ask] : [{ name: 'write_it' }] };
    },
  });
  await world.send('ask');
  expect(world.of('question-start').length).toBe(1);
  const other = await world.engine.command({ type: 'session-create' });
  if (!other.ok) throw new Error(other.message);
  const { sessionId } = other.value.record;
  await world.engine.command({ type: 'mode-set', sessionId, mode: 'auto-edit' });
  await world.engine.command({ type: 'turn-send', sessionId, text: 'write' });
  await world.clock.settle();
  expect(results(world)).toEqual(['written']);
});

test('a tool that does not say that it waits for the person may not ask', async () => {
  const sly = testTool('sly', ['read-only'], async (_, context) => said((await context.askPerson([])).kind));
  const { world } = await session([[{ name: 'sly' }]], [sly]);
  await world.send('go');
  expect([results(world), world.of('question-start')]).toEqual([['sly does not declare that it waits for the person, so it may not ask.'], []]);
});

test('the checklist outlives the turn and a reload', async () => {
  const tools = [checklistWrite, checklistUpdate, checklistList];
  const { world } = await session(
    [
      [{ name: 'checklist_write', input: { todos: [{ text: 'read' }, { text: 'fix', status: 'doing' }] } }],
      [{ name: 'checklist_update', input: { id: '1', status: 'done' } }],
      [{ name: 'checklist_update', input: { id: '7', status: 'done' } }],
    ],
    tools,
  );
  await world.send('go');
  expect(results(world)).toEqual([
    '2 items: 0 done, 2 to do.\n[ ] 1  read\n[~] 2  fix',
    '2 items: 1 done, 1 to do.\n[x] 1  read\n[~] 2  fix',
    'No item has the id "7". 2 items: 1 done, 1 to do.\n[x] 1  read\n[~] 2  fix',
  ]);
  let step = 0;
  const again = await createEngineWorld({
    tools,
    stores: world.stores,
    clock: world.clock,
    model: () => (step++ === 0 ? { calls: [{ name: 'checklist_list' }] } : { text: 'done' }),
  });
  await again.engine.command({ type: 'session-open', sessionId: world.sessionId });
  await again.engine.command({ type: 'turn-send', sessionId: world.sessionId, text: 'what is left?' });
  await again.clock.settle();
  expect(results(again)).toEqual(['2 items: 1 done, 1 to do.\n[x] 1  read\n[~] 2  fix']);
});

test('a notification is an event, sent as often as it is asked for', async () => {
  const { world } = await session([[{ name: 'notify', input: { title: 'Done', body: 'All 12 tests pass.' } }]], [notify]);
  await world.send('go');
  expect(world.of('notify').map(({ title, body }) => ({ title, body }))).toEqual([{ title: 'Done', body: 'All 12 tests pass.' }]);
});

test('a form that a closed tab left open is asked again, and the turn goes on with its answer', async () => {
  const { world } = await session([[ask]]);
  await world.send('go');
  const again = await createEngineWorld({ tools: [requestUserInput], stores: world.stores, clock: world.clock, model: () => ({ text: 'done' }) });
  await again.engine.command({ type: 'session-open', sessionId: world.sessionId });
  await again.clock.settle();
  const forms = again.of('question-start').filter((event) => event.sessionId === world.sessionId);
  expect([forms.length, again.of('question-end').map((event) => event.outcome)]).toEqual([1, [{ kind: 'cancelled' }]]);
  const stored = await world.stores.sessions.events(world.sessionId);
  expect(stored.events.filter((event) => event.type === 'call-start').length).toBe(1);
  const answer = { questionId: forms[0]?.request.questionId ?? id<QuestionId>('question-none'), answers: [{ choices: ['Red'] }, { choices: ['Tail'] }] };
  expect(await again.engine.command({ type: 'question-answer', sessionId: world.sessionId, answer })).toEqual({ ok: true, value: { counted: true } });
  await again.clock.settle();
  expect(results(again)).toEqual(['The person answered:\nWhich colour?\n  "Red"\nWhich parts?\n  "Tail"']);
  expect(again.of('turn-end').map((event) => event.end)).toEqual(['yielded']);
  const log = (await world.stores.sessions.events(world.sessionId)).events;
  expect(['call-start', 'call-settled', 'call-end'].map((type) => log.filter((event) => event.type === type).length)).toEqual([1, 1, 1]);
});

test('an answer that was given before the tab closed counts: nobody is asked twice', async () => {
  const { world, answer, form } = await session([[ask]]);
  await world.send('go');
  await answer(form(), [{ choices: ['Blue'] }, { choices: ['Head'] }]);
  const { events } = await world.stores.sessions.events(world.sessionId);
  const until = events.findIndex((event) => event.type === 'question-end');
  const stores = createMemoryStores();
  const record = await world.stores.sessions.get(world.sessionId);
  if (record !== undefined) await stores.sessions.put(record);
  await stores.sessions.append(world.sessionId, events.slice(0, until + 1));
  const again = await createEngineWorld({ tools: [requestUserInput], stores, clock: world.clock, model: () => ({ text: 'done' }) });
  await again.engine.command({ type: 'session-open', sessionId: world.sessionId });
  await again.clock.settle();
  expect([again.of('question-start'), results(again)]).toEqual([[], ['The person answered:\nWhich colour?\n  "Blue"\nWhich parts?\n  "Head"']]);
});
