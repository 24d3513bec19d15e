import { describe, expect, it } from 'vitest';
import type { EngineEventBody } from '@/lib/contracts/events';
import { createOutputBuffer } from '@/lib/engine/job-output';
import { createShellJobs } from '@/lib/engine/shell-jobs';
import { id } from '@/test/support/event-list';
import { createScriptedPrograms } from '@/test/support/scripted-programs';
import { createVirtualClock } from '@/test/support/virtual-clock';

describe('the output of a job', () => {
  it('is handed out once, and counts what had to be let go', () => {
    const output = createOutputBuffer(10);
    output.push('abcd');
    expect(output.take()).toEqual({ text: 'abcd', lostBytes: 0 });
    output.push('efgh');
    output.push('ijkl');
    expect([output.isNew, output.whole(), output.producedBytes, output.keptBytes]).toEqual([true, 'efghijkl', 12, 8]);
    output.push('mnopqrst');
    expect(output.take()).toEqual({ text: 'mnopqrst', lostBytes: 8 });
    expect(output.take()).toEqual({ text: '', lostBytes: 0 });
  });

  it('shrinks to its last bytes, and still knows which of them are new', () => {
    const output = createOutputBuffer(100);
    output.push('seen already, ');
    output.take();
    output.push('new');
    output.shrink(7);
    expect([output.whole(), output.take()]).toEqual(['dy, new', { text: 'new', lostBytes: 0 }]);
    output.push('öffentlich');
    output.shrink(5);
    expect(output.take()).toEqual({ text: 'tlich', lostBytes: 6 });
  });
});

const openStep = async () => ({ close: async () => undefined });

describe('the jobs of a session', () => {
  it('are forgotten but for their tail once many ended after them, and say so', async () => {
    const { runtime, programs } = createScriptedPrograms();
    const clock = createVirtualClock();
    const events: EngineEventBody[] = [];
    const table = createShellJobs({ runtime, clock, emit: (event) => void events.push(event), commit: async () => undefined, openStep });
    const jobs = table.forCall(id('call-1'), () => new AbortController().signal);
    for (let n = 0; n < 22; n++) {
      const { taskId } = await jobs.start({ command: `job ${n}` });
      programs[n]?.write(`${'x'.repeat(20_000)}${taskId}`);
      programs[n]?.end(0);
      await clock.advance(1);
    }
    const now = { waitMs: 0, until: 'end' } as const;
    expect([table.whole('task_1'), table.whole('task_22')?.stdout.length]).toEqual([undefined, 20_007]);
    const forgotten = await jobs.look('task_1', now);
    expect([forgotten.stale, forgotten.status, forgotten.output.length, forgotten.lostBytes, forgotten.producedBytes]).toEqual([
      true,
      'completed',
      8_000,
      12_006,
      20_006,
    ]);
    expect((await jobs.look('task_22', now)).stale).toBe(false);
  });

  it('let go of an output that the store holds', async () => {
    const { runtime, programs } = createScriptedPrograms();
    const clock = createVirtualClock();
    const table = createShellJobs({ runtime, clock, emit: () => undefined, commit: async () => undefined, openStep });
    const jobs = table.forCall(id('call-1'), () => new AbortController().signal);
    await jobs.start({ command: 'long' });
    programs[0]?.write('y'.repeat(40_000));
    expect(table.whole('task_1')).toBeUndefined();
    programs[0]?.end(0);
    await clock.settle();
    await jobs.look('task_1', { waitMs: 0, until: 'end' });
    expect(table.whole('task_1')).toEqual({ stdout: 'y'.repeat(40_000), stderr: '' });
    table.stored('task_1', id('ref-1'));
    expect([table.whole('task_1'), await jobs.look('task_1', { waitMs: 0, until: 'end' })]).toMatchObject([
      undefined,
      { output: '', lostBytes: 0, ref: 'ref-1', producedBytes: 40_000 },
    ]);
  });
});
