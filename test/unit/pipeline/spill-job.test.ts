import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readCaseFile } from '@/lib/conformance/case-file';
import type { EngineEventBody } from '@/lib/contracts/events';
import type { CallId, SessionId, SpillRef } from '@/lib/contracts/ids';
import type { JobOutput, JobStatus } from '@/lib/contracts/job';
import type { SpillStore, SpillWrite } from '@/lib/contracts/store';
import type { SpillPorts } from '@/lib/pipeline/5-backfill/spill';
import { cutJobLook, type JobOutputs } from '@/lib/pipeline/5-backfill/spill-job';
import { lookText } from '@/lib/shared/job-words';
import { createMemoryStores } from '@/lib/storage/memory-stores';
import { spill } from '@/test/contract/store/stores-contract';

interface Look {
  readonly status: 'running' | 'completed' | 'failed' | 'killed' | 'timed_out';
  readonly stdoutBytes?: number;
  readonly stderrBytes?: number;
  readonly sliceBytes?: number;
  readonly stale?: boolean;
  readonly existingBytes?: number;
  readonly writeFails?: 'error' | 'quota';
}

const ref = 'task-spill' as SpillRef;
const { cases } = readCaseFile(readFileSync(new URL('../../cases/spill.json', import.meta.url), 'utf8'));
const of = (op: string) => cases.filter((one) => one.input.op === op).map((one) => [`spill ${one.id} ${one.why}`, one] as const);

function world(failure?: 'error' | 'quota') {
  const { spills } = createMemoryStores();
  const events: EngineEventBody[] = [];
  let writes = 0;
  const refused: SpillWrite =
    failure === 'quota' ? { saved: false, reason: 'quota', detail: 'the storage is full' } : { saved: false, reason: 'failed', detail: 'the write failed' };
  const store: SpillStore = {
    ...spills,
    async write(record) {
      writes++;
      return failure === undefined ? spills.write(record) : refused;
    },
  };
  let kept: SpillRef | undefined;
  let output: JobOutput = { stdout: '', stderr: '' };
  const keep = (_: string, stored: SpillRef): void => {
    kept = stored;
  };
  const jobs: JobOutputs = { whole: () => (kept === undefined ? output : undefined), stored: keep };
  const ports: SpillPorts & { jobs: JobOutputs } = {
    spills: store,
    newRef: () => ref,
    sessionId: 's' as SessionId,
    now: () => 0,
    emit: (event) => void events.push(event),
    canRetrieve: true,
    jobs,
  };
  const look = async (state: Look, slice: string) => {
    output = { stdout: 'a'.repeat(state.stdoutBytes ?? 0), stderr: 'a'.repeat(state.stderrBytes ?? 0) };
    const status = state.status.replace('_', '-') as JobStatus;
    const content = lookText({
      taskId: 'task_1',
      status,
      exitCode: 0,
      output: slice,
      lostBytes: 0,
      producedBytes: output.stdout.length + output.stderr.length,
      runningMs: 0,
      stale: state.stale ?? false,
    });
    return cutJobLook(
      { callId: 'c' as CallId, tool: 'exec_shell_wait', content, economics: 'shell' },
      { taskId: 'task_1', running: status === 'running', stale: state.stale ?? false },
      ports,
    );
  };
  return { spills, events, look, writes: () => writes };
}

describe('a look at a shell job', () => {
  it.each(of('shell'))('%s', async (_, one) => {
    const input = one.input as unknown as Look;
    const { spills, events, look } = world(input.writeFails);
    if (input.existingBytes !== undefined) await spills.write(spill(ref, 'e'.repeat(input.existingBytes)));
    const total = (input.stdoutBytes ?? 0) + (input.stderrBytes ?? 0);
    const shown = await look(input, 'a'.repeat(input.sliceBytes ?? total));
    const stored = await spills.read(ref);
    const expected = one.expected as { readonly shownContains?: readonly string[] };
    const got: Record<string, unknown> = {
      spilled: stored !== undefined && stored.tool === 'exec_shell_wait',
      pointer: shown.includes(`ref=${ref}`),
      storedBytes: stored?.bytes ?? 0,
      warned:
        events.some((event) => event.type === 'notice' && event.level === 'warning') &&
        events.some((event) => event.type === 'result-cut' && event.problem !== undefined),
      toolSuccess: true,
    };
    const { shownContains = [], ...named } = expected;
    expect(got).toMatchObject(named);
    for (const text of shownContains) expect(shown).toContain(text);
  });

  it.each(of('polls'))('%s', async (_, one) => {
    const { states, bytes } = one.input as unknown as { readonly states: readonly Look['status'][]; readonly bytes: number };
    const { look, writes } = world();
    let whileRunning = 0;
    for (const [index, status] of states.entries()) {
      const before = writes();
      await look({ status, stdoutBytes: bytes }, index === 0 ? 'a'.repeat(bytes) : '');
      if (status === 'running') whileRunning += writes() - before;
    }
    expect({ writes: writes(), writesWhileRunning: whileRunning }).toEqual(one.expected);
  });
});
