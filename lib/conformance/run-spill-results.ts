import type { SpillRef } from '@/lib/contracts/ids';
import type { JobLook, JobOutput, JobStatus, ShellJobs } from '@/lib/contracts/job';
import type { Runtime } from '@/lib/contracts/runtime';
import type { SpillStore, SpillWrite } from '@/lib/contracts/store';
import { defineTool } from '@/lib/contracts/tool-spec';
import { z } from '@/lib/contracts/zod';
import { runShell } from '@/lib/engine/run-shell';
import { shortenShown } from '@/lib/pipeline/5-backfill/cut-marker';
import { utf8Length } from '@/lib/shared/bytes';
import type { Json, JsonObject } from '@/lib/shared/json';
import { headBytes } from '@/lib/shared/text-lines';
import { createMemoryStores } from '@/lib/storage/memory-stores';
import { builtInTools } from '@/lib/tools/registry.gen';
import { type HandedBack, handBack } from './handed-back';
import { flag, joinParts, named, type Runner, refuseUnknown, strings, text } from './runner';

const SAVED = /Full output saved; call retrieve_tool_result ref=(\S+) to view it\./g;
const CAPTURE = /The command produced (\d+) bytes; (\d+) were stored, (\d+) are lost/;

export function count(value: Json | undefined, byDefault: number): number {
  if (value === undefined || value === null) return byDefault;
  if (typeof value !== 'number') throw new Error('a number is wanted');
  return value;
}

/** The id that a marker names. */
export function refIn(marker: string): SpillRef | undefined {
  return [...marker.matchAll(SAVED)][0]?.[1] as SpillRef | undefined;
}

/** The id that the marker of a shown result names: of all that read like one, the marker is the one that the log tells of. */
function saved({ content, events }: HandedBack): SpillRef | undefined {
  const said = events.findLast((event) => event.type === 'result-cut')?.ref;
  return [...content.matchAll(SAVED)].map(([, ref]) => ref as SpillRef).find((ref) => ref === said);
}

function letters(input: JsonObject, bytes: number): string {
  const sign = input.char === undefined ? 'a' : text(input.char);
  const size = utf8Length(sign);
  return sign.repeat(Math.floor(bytes / size)) + 'a'.repeat(bytes % size);
}

const STATUSES: Readonly<Record<string, JobStatus>> = {
  running: 'running',
  completed: 'completed',
  failed: 'failed',
  killed: 'killed',
  timed_out: 'timed-out',
};

/** A background command and the store beside it, looked at through `exec_shell_wait`. */
function jobWorld(fails: Json | undefined) {
  const { spills } = createMemoryStores();
  const ref = 'the_job' as SpillRef;
  const refusals: Readonly<Record<string, SpillWrite>> = {
    error: { saved: false, reason: 'failed', detail: 'the write failed' },
    quota: { saved: false, reason: 'quota', detail: 'the storage is full' },
  };
  const refusal = fails === undefined || fails === null || fails === 'none' ? undefined : refusals[text(fails)];
  if (fails !== undefined && fails !== null && fails !== 'none' && refusal === undefined) throw new Error(`no runner knows the failure ${String(fails)}`);
  let writes = 0;
  const store: SpillStore = {
    ...spills,
    async write(record) {
      writes++;
      return refusal ?? spills.write(record);
    },
  };
  let kept = false;
  const look = (status: JobStatus, whole: JobOutput, fresh: string, stale: boolean): Promise<HandedBack> => {
    const seen: JobLook = {
      taskId: 'task_1',
      command: 'a command',
      status,
      ...(status === 'running' ? {} : { exitCode: status === 'completed' ? 0 : 1 }),
      output: fresh,
      lostBytes: 0,
      producedBytes: utf8Length(whole.stdout) + utf8Length(whole.stderr),
      runningMs: 0,
      stale,
    };
    return handBack(
      { tool: 'exec_shell_wait', input: { task_id: 'task_1' } },
      {
        tools: builtInTools,
        spills: store,
        newRef: () => ref,
        context: { jobs: { look: async () => seen } as unknown as ShellJobs },
        jobs: {
          whole: () => (kept ? undefined : whole),
          stored: () => {
            kept = true;
          },
        },
      },
    );
  };
  return { spills, ref, look, writes: () => writes };
}

/** Kind `spill`, `shell`: one look at a shell job. */
export const runShellSpill: Runner = async ({ input, expected }) => {
  refuseUnknown('input', input, ['op', 'char', 'status', 'stdoutBytes', 'stderrBytes', 'sliceBytes', 'stale', 'existingBytes', 'writeFails']);
  refuseUnknown('expected', expected, ['spilled', 'pointer', 'storedBytes', 'warned', 'toolSuccess', 'shownContains']);
  const status = STATUSES[text(input.status)];
  if (status === undefined) throw new Error(`no runner knows the status ${text(input.status)}`);
  const whole = { stdout: letters(input, count(input.stdoutBytes, 0)), stderr: letters(input, count(input.stderrBytes, 0)) };
  const { spills, ref, look, writes } = jobWorld(input.writeFails);
  const earlier = count(input.existingBytes, 0);
  if (earlier > 0)
    await spills.write({
      ref,
      sessionId: 'earlier' as never,
      callId: 'earlier' as never,
      tool: 'exec_shell_wait',
      createdAt: 0,
      text: 'e'.repeat(earlier),
      bytes: earlier,
    });
  const all = `${whole.stdout}${whole.stderr}`;
  const fresh = input.sliceBytes === undefined ? all : letters(input, count(input.sliceBytes, 0));
  const shown = await look(status, whole, fresh, flag(input.stale));
  const stored = await spills.read(ref);
  const wanted = strings((expected as JsonObject).shownContains);
  return named(expected, {
    spilled: writes() > 0 && stored !== undefined && stored.sessionId !== 'earlier',
    pointer: shown.content.includes(ref),
    storedBytes: stored?.bytes ?? 0,
    warned: warns(shown) && shown.events.some((event) => event.type === 'result-cut' && event.problem !== undefined),
    toolSuccess: shown.ok,
    shownContains: wanted.filter((part) => shown.content.includes(part)),
  });
};

export function warns({ events }: HandedBack): boolean {
  return events.some((event) => event.type === 'notice' && event.level === 'warning');
}

/** Kind `spill`, `polls`: one job, looked at again and again. */
export const runPolls: Runner = async ({ input, expected }) => {
  refuseUnknown('input', input, ['op', 'states', 'bytes', 'char']);
  refuseUnknown('expected', expected, ['writes', 'writesWhileRunning']);
  const { look, writes } = jobWorld(undefined);
  const output = letters(input, count(input.bytes, 0));
  let writesWhileRunning = 0;
  for (const [index, state] of strings(input.states).entries()) {
    const status = STATUSES[state];
    if (status === undefined) throw new Error(`no runner knows the status ${state}`);
    const before = writes();
    await look(status, { stdout: output, stderr: '' }, index === 0 ? output : '', false);
    if (status === 'running') writesWhileRunning += writes() - before;
  }
  return named(expected, { writes: writes(), writesWhileRunning });
};

/** A foreground command that writes this text, at most `capBytes` of it kept. */
function shellThat(writes: string, capBytes?: number) {
  const runtime = {
    info: { shell: ['sh', '-c'] },
    spawn: async () => ({
      output: new ReadableStream<string>({
        start(stream) {
          for (const [chunk] of writes.matchAll(/[\s\S]{1,65536}/gu)) stream.enqueue(chunk);
          stream.close();
        },
      }),
      input: new WritableStream<string>(),
      exit: Promise.resolve(0),
      kill() {},
    }),
  } as unknown as Runtime;
  const { signal } = new AbortController();
  return { runCommand: (request: { readonly command: string }) => runShell(runtime, request, signal, undefined, capBytes) };
}

const aCommand = { tool: 'exec_shell', input: { command: 'a-command' } };

/** Kind `spill`, `retrieve`: what was stored for a command comes back under the id of its marker. */
export const runRetrieve: Runner = async ({ input, expected }) => {
  refuseUnknown('input', input, ['op', 'text']);
  refuseUnknown('expected', expected, ['markerContains', 'retrievedEqualsText']);
  const output = joinParts(input.text);
  const { spills } = createMemoryStores();
  const shown = await handBack(aCommand, { tools: builtInTools, spills, context: shellThat(output) });
  const ref = saved(shown);
  const read = ref === undefined ? undefined : await retrieve(ref, spills);
  const stored = ref === undefined ? undefined : await spills.read(ref);
  return named(expected, {
    markerContains: strings((expected as JsonObject).markerContains).filter((part) => shown.content.includes(part)),
    retrievedEqualsText: read?.ok === true && read.content.includes(ref as string) && stored?.text === output,
  });
};

function retrieve(ref: string, spills: SpillStore): Promise<HandedBack> {
  return handBack({ tool: 'retrieve_tool_result', input: { ref } }, { tools: builtInTools, spills, context: { readSpill: (asked) => spills.read(asked) } });
}

/** Kind `spill`, `retrieve_unknown`: an id that nothing is stored under. */
export const runRetrieveUnknown: Runner = async ({ input, expected }) => {
  refuseUnknown('input', input, ['op', 'ref', 'others']);
  refuseUnknown('expected', expected, ['ok', 'contains', 'lacks']);
  const { spills } = createMemoryStores();
  for (const id of strings(input.others)) {
    const contents = `contents of ${id}`;
    await spills.write({
      ref: id as SpillRef,
      sessionId: 's' as never,
      callId: 'c' as never,
      tool: 'exec_shell',
      createdAt: 0,
      text: contents,
      bytes: utf8Length(contents),
    });
  }
  const answer = await retrieve(text(input.ref), spills);
  const wanted = expected as JsonObject;
  return named(expected, {
    ok: answer.ok,
    contains: strings(wanted.contains).filter((part) => answer.content.includes(part)),
    lacks: strings(wanted.lacks).filter((part) => !answer.content.includes(part)),
  });
};

/** Kind `spill`, `result`: a result of a tool that is no shell. */
export const runOtherResult: Runner = async ({ input, expected }) => {
  refuseUnknown('input', input, ['op', 'bytes', 'char', 'ok']);
  refuseUnknown('expected', expected, ['spilled', 'pointer', 'headBytes', 'ok']);
  const { spills } = createMemoryStores();
  const ok = flag(input.ok, true);
  const content = letters(input, count(input.bytes, 0));
  const tool = defineTool({
    name: 'a_tool',
    description: 'A tool of a case.',
    input: z.looseObject({}),
    capabilities: ['read-only'],
    execute: async () => (ok ? { ok, content } : { ok, content, error: 'execution-failed' }),
  });
  const shown = await handBack({ tool: 'a_tool', input: {} }, { tools: [tool, ...builtInTools], spills });
  const isCut = shown.content !== content;
  return named(expected, {
    spilled: (await spills.list()).length > 0,
    pointer: saved(shown) !== undefined,
    headBytes: isCut ? utf8Length(shownHead(shown.content, content)) : utf8Length(content),
    ok: shown.ok,
  });
};

/** The head of a cut result: what the note behind it does not count as left out, where it is shown as it was. */
function shownHead(shown: string, whole: string): string {
  const leftOut = Number(/\[(\d+) bytes left out/.exec(shown)?.[1]);
  const head = headBytes(whole, utf8Length(whole) - leftOut);
  if (!shown.startsWith(head)) throw new Error('what is shown does not begin as the whole does');
  return head;
}

/** Kind `spill`, `again`: a shown result is shortened once more. */
export const runShortenAgain: Runner = async ({ input, expected }) => {
  refuseUnknown('input', input, ['op', 'text', 'secondLimitBytes']);
  refuseUnknown('expected', expected, ['idKept', 'markers']);
  const shown = await handBack(aCommand, { tools: builtInTools, context: shellThat(joinParts(input.text)) });
  const ref = saved(shown);
  const marker = [...shown.content.matchAll(SAVED)].find(([, named]) => named === ref)?.[0] ?? '';
  const again = shortenShown(shown.content, marker, count(input.secondLimitBytes, 0));
  return named(expected, { idKept: ref !== undefined && again.includes(ref), markers: [...again.matchAll(SAVED)].length });
};

/** Kind `spill`, `hint`: the marker where only some tools are there. */
export const runHint: Runner = async ({ input, expected }) => {
  refuseUnknown('input', input, ['op', 'toolsAvailable', 'hasRetrieveTool']);
  refuseUnknown('expected', expected, ['mentions', 'lacks']);
  const has = flag(input.hasRetrieveTool, strings(input.toolsAvailable).includes('retrieve_tool_result'));
  const others = strings(input.toolsAvailable).filter((name) => !builtInTools.some((tool) => tool.name === name));
  const tools = [
    ...builtInTools.filter(({ name }) => name === 'exec_shell' || (name === 'retrieve_tool_result' && has)),
    ...others.map((name) =>
      defineTool({
        name,
        description: 'Another tool.',
        input: z.looseObject({}),
        capabilities: ['read-only'],
        execute: async () => ({ ok: true, content: '' }),
      }),
    ),
  ];
  const { content } = await handBack(aCommand, { tools, context: shellThat('a'.repeat(40_000)) });
  const wanted = expected as JsonObject;
  const marker = content.split('\n').find((line) => line.startsWith('Full output')) ?? '';
  return named(expected, {
    mentions: strings(wanted.mentions).filter((name) => marker.includes(name)),
    lacks: strings(wanted.lacks).filter((name) => marker !== '' && !marker.includes(name)),
  });
};

/** Kind `spill`, `capture`: a command that writes more than can be kept. */
export const runCapture: Runner = async ({ input, expected }) => {
  refuseUnknown('input', input, ['op', 'producedBytes', 'captureCapBytes', 'char']);
  refuseUnknown('expected', expected, ['produced', 'stored', 'lost']);
  const { spills } = createMemoryStores();
  const output = letters(input, count(input.producedBytes, 0));
  const { content } = await handBack(aCommand, { tools: builtInTools, spills, context: shellThat(output, count(input.captureCapBytes, 0)) });
  const stated = CAPTURE.exec(content);
  const entries = await spills.list();
  // Where nothing was lost the marker counts nothing: then what is stored is all that was produced.
  const whole = stated === null && entries[0]?.bytes === utf8Length(output) ? utf8Length(output) : undefined;
  const stored = stated === null ? whole : Number(stated[2]);
  if (stored !== entries[0]?.bytes) throw new Error(`the marker says ${stored} stored bytes, the store has ${entries[0]?.bytes}`);
  return named(expected, { produced: stated === null ? whole : Number(stated[1]), stored, lost: stated === null ? 0 : Number(stated[3]) });
};
