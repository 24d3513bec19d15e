import type { EngineEventBody } from '@/lib/contracts/events';
import type { CallId, SessionId, SpillRef } from '@/lib/contracts/ids';
import type { SpillRecord, SpillStore } from '@/lib/contracts/store';
import { type SpillPorts, storeWhole } from '@/lib/pipeline/5-backfill/spill';
import { utf8Length } from '@/lib/shared/bytes';
import { newTab } from '@/lib/shared/new-ids';
import { createMemoryShelf } from '@/lib/storage/memory-stores';
import { createSpillIds } from '@/lib/storage/spill-ids';
import { createSpillStore, type SpillShelf } from '@/lib/storage/spill-store';
import { count, refIn } from './run-spill-results';
import { flag, joinParts, named, objects, type Runner, refuseUnknown, strings, text } from './runner';

const DAY_MS = 24 * 60 * 60 * 1000;

function entry(ref: string, contents: string, createdAt = 0): SpillRecord {
  return {
    ref: ref as SpillRef,
    sessionId: 's' as SessionId,
    callId: 'c' as CallId,
    tool: 'exec_shell',
    createdAt,
    text: contents,
    bytes: utf8Length(contents),
  };
}

/** Stores a whole text as the pipeline does, and answers the sentence that promises it. */
async function keep(contents: string, spills: SpillStore, ref: string) {
  const events: EngineEventBody[] = [];
  const ports: SpillPorts = {
    spills,
    newRef: () => ref as SpillRef,
    sessionId: 's' as SessionId,
    now: () => 0,
    emit: (event) => void events.push(event),
    canRetrieve: true,
  };
  const { marker } = await storeWhole({ callId: 'c' as CallId, tool: 'exec_shell' }, contents, utf8Length(contents), ports);
  return { marker, told: events.some((event) => event.type === 'notice' && event.level === 'warning') };
}

/** Kind `spill`, `ids`: several tabs make ids. */
export const runSpillIds: Runner = ({ input, expected }) => {
  refuseUnknown('input', input, ['op', 'tabs', 'perTab', 'sameMillisecond', 'sameSerial']);
  refuseUnknown('expected', expected, ['uniqueIds']);
  const ids = new Set<string>();
  const perTab = count(input.perTab, 0);
  for (let tab = 0; tab < count(input.tabs, 0); tab++) {
    const serial = flag(input.sameSerial) ? 0 : tab * perTab;
    const now = () => (flag(input.sameMillisecond) ? 1_700_000_000_000 : 1_700_000_000_000 + tab);
    const next = createSpillIds({ tab: newTab(), now, serial });
    for (let made = 0; made < perTab; made++) ids.add(next());
  }
  return named(expected, { uniqueIds: ids.size });
};

/** Kind `spill`, `write`: texts one after the other under one id. */
export const runRewrites: Runner = async ({ input, expected }) => {
  refuseUnknown('input', input, ['op', 'id', 'writes']);
  refuseUnknown('expected', expected, ['stored']);
  const spills = createSpillStore(createMemoryShelf());
  const id = text(input.id);
  for (const contents of strings(input.writes)) await spills.write(entry(id, contents));
  return named(expected, { stored: (await spills.read(id as SpillRef))?.text ?? null });
};

/** Kind `spill`, `ids_hostile`: ids that try to name something else. */
export const runHostileIds: Runner = async ({ input, expected }) => {
  refuseUnknown('input', input, ['op', 'ids']);
  refuseUnknown('expected', expected, ['stored', 'allInsideStore']);
  const touched: string[] = [];
  const shelf = createMemoryShelf();
  const watched: SpillShelf = {
    put(records) {
      touched.push(...records.map((record) => record.ref));
      return shelf.put(records);
    },
    get(ref) {
      touched.push(ref);
      return shelf.get(ref);
    },
    list: () => shelf.list(),
    delete(ref) {
      touched.push(ref);
      return shelf.delete(ref);
    },
  };
  const spills = createSpillStore(watched);
  let stored = 0;
  for (const id of strings(input.ids)) {
    const write = await spills.write(entry(id, 'contents'));
    if (write.saved && (await spills.read(id as SpillRef))?.text === 'contents') stored++;
    await spills.read(id as SpillRef);
  }
  return named(expected, { stored, allInsideStore: touched.every((key) => /^[A-Za-z0-9_-]+$/.test(key) && /[A-Za-z0-9]/.test(key)) });
};

/** Kind `spill`, `cleanup`: what a start-up removes. */
export const runCleanUp: Runner = async ({ input, expected }) => {
  refuseUnknown('input', input, ['op', 'agesDays', 'deleteFailsFor']);
  refuseUnknown('expected', expected, ['kept', 'removed', 'startupFails']);
  const ages = numbers(input.agesDays);
  const failing = numbers(input.deleteFailsFor);
  const now = 1_000 * DAY_MS;
  const ref = (index: number) => `spill_${index}` as SpillRef;
  const shelf = createMemoryShelf();
  const refuses = new Set(ages.flatMap((age, index) => (failing.includes(age) ? [ref(index)] : [])));
  const spills = createSpillStore({ ...shelf, delete: (asked) => (refuses.has(asked) ? Promise.reject(new Error('locked')) : shelf.delete(asked)) });
  for (const [index, age] of ages.entries()) await spills.write(entry(ref(index), 'x', now - age * DAY_MS));
  let startupFails = false;
  await spills.cleanUp(now).catch(() => {
    startupFails = true;
  });
  const left = new Set((await spills.list()).map((one) => one.ref));
  return named(expected, { kept: ages.filter((_, index) => left.has(ref(index))), removed: ages.filter((_, index) => !left.has(ref(index))), startupFails });
};

function numbers(value: unknown): readonly number[] {
  if (value === undefined) return [];
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'number')) throw new Error('a list of numbers is wanted');
  return value;
}

/** Kind `spill`, `atomic`: the transaction of a write is aborted after its first request; the shelf of the browser is held to the same by the contract of the stores. */
export const runAtomic: Runner = async ({ input, expected }) => {
  refuseUnknown('input', input, ['op', 'text', 'abortTransaction']);
  refuseUnknown('expected', expected, ['found', 'partial', 'pointer']);
  const contents = joinParts(input.text);
  const shelf = createMemoryShelf();
  const spills = createSpillStore(flag(input.abortTransaction) ? { ...shelf, put: (records) => shelf.put([...records, uncloneable]) } : shelf);
  const { marker } = await keep(contents, spills, 'atomic');
  const found = await spills.read('atomic' as SpillRef);
  const entries = await spills.list();
  const partial = (found === undefined) !== (entries.length === 0) || (found !== undefined && found.text !== contents);
  return named(expected, { found: found !== undefined, partial, pointer: refIn(marker) !== undefined });
};

/** No store can copy a function: the request for it fails when the one before it has been made. */
const uncloneable = { ...entry('second', ''), text: (() => '') as unknown as string };

/** Kind `spill`, `quota`: a write into a store that is nearly full. */
export const runQuota: Runner = async ({ input, expected }) => {
  refuseUnknown('input', input, ['op', 'existing', 'freeBytes', 'writeBytes']);
  refuseUnknown('expected', expected, ['spilled', 'removed', 'kept', 'userTold']);
  const existing = objects(input.existing).map((one) => {
    refuseUnknown('existing', one, ['id', 'ageDays', 'bytes']);
    return { id: text(one.id), age: count(one.ageDays, 0), bytes: count(one.bytes, 0) };
  });
  const room = existing.reduce((sum, one) => sum + one.bytes, 0) + count(input.freeBytes, 0);
  const removed: string[] = [];
  const inner = createSpillStore(createMemoryShelf(room));
  for (const one of existing) await inner.write(entry(one.id, 'a'.repeat(one.bytes), 1_000 * DAY_MS - one.age * DAY_MS));
  const spills: SpillStore = {
    ...inner,
    async write(record) {
      const write = await inner.write(record);
      if (write.saved) removed.push(...write.removedForRoom);
      return write;
    },
  };
  const ref = 'new_one_of_the_case';
  const { marker, told } = await keep('a'.repeat(count(input.writeBytes, 0)), spills, ref);
  const left = new Set<string>((await inner.list()).map((one) => one.ref));
  const spilled = left.has(ref) && refIn(marker) === ref;
  return named(expected, { spilled, removed, kept: existing.filter((one) => left.has(one.id)).map((one) => one.id), userTold: told });
};
