import type { Clock } from '@/lib/contracts/clock';
import type { EngineEvent, EngineEventBody } from '@/lib/contracts/events';
import type { CallId, SpillRef } from '@/lib/contracts/ids';
import type { JobLook, JobOutput, JobStatus, ShellJobs } from '@/lib/contracts/job';
import type { Runtime, RuntimeProcess } from '@/lib/contracts/runtime';
import type { CommandRequest } from '@/lib/contracts/tool-context';
import type { OpenStep } from '@/lib/contracts/undo';
import { CodedError, messageOf } from '@/lib/shared/coded-error';
import { createOutputBuffer, type OutputBuffer } from './job-output';
import { liveLimit } from './run-shell';
import { jobActor } from './undo-steps';

/** Bytes of one job's output that are kept; over it the oldest go and are counted. */
const captureCapBytes = 8 * 1024 * 1024;
/** Bytes that all jobs of a session keep together; over it the jobs that ended first are forgotten but for their tail. */
const tableCapBytes = 32 * 1024 * 1024;
/** Ended jobs that are remembered; older ones keep their tail only. */
const endedJobs = 20;
/** Bytes of a forgotten job that stay. Source governance 11: the tail of a cut. */
const tailOfForgotten = 8_000;

export interface JobPorts {
  readonly runtime: Runtime;
  readonly clock: Clock;
  readonly emit: (event: EngineEventBody) => void;
  /** Makes what was emitted durable: a job may write and end while no turn runs. */
  readonly commit: () => Promise<void>;
  /** What the job changes until it ends is an undo step of the call that started it. */
  readonly openStep: (callId: CallId) => Promise<OpenStep>;
}

/** The background commands of one session. They survive the turn that started them and end with the session. */
export interface ShellJobTable {
  /** The port of one call. */
  forCall(callId: CallId, signal: () => AbortSignal): ShellJobs;
  /** All that an ended job wrote; undefined once it was handed to the store, when it was forgotten, or while it runs. */
  whole(taskId: string): JobOutput | undefined;
  /** The whole output is stored under `ref` now, so it need not be kept here. */
  stored(taskId: string, ref: SpillRef): void;
  /** Ends every job; settles when they have ended. */
  endAll(): Promise<void>;
}

interface Job {
  readonly taskId: string;
  readonly command: string;
  readonly callId: CallId;
  readonly child: RuntimeProcess;
  readonly writer: WritableStreamDefaultWriter<string>;
  readonly output: OutputBuffer;
  readonly step: OpenStep;
  readonly startedAt: number;
  endedAt: number | undefined;
  status: JobStatus;
  exitCode: number | undefined;
  /** Why it is about to end, when it does not end by itself. */
  ending: 'killed' | 'timed-out' | undefined;
  inputOpen: boolean;
  stale: boolean;
  ref: SpillRef | undefined;
  ended: Promise<void>;
  shown: number;
}

/**
 * Makes the table of a session.
 *
 * In     `before`: the stored events, so that ids are never given twice; jobs that a closed tab cut off are noted as ended.
 */
export function createShellJobs(ports: JobPorts, before: readonly EngineEvent[] = []): ShellJobTable {
  const jobs = new Map<string, Job>();
  const listeners = new Set<() => void>();
  let started = before.filter((event) => event.type === 'job-start').length;
  for (const lost of runningIn(before)) ports.emit({ type: 'job-end', callId: lost.callId, taskId: lost.taskId, status: 'killed' });
  const changed = () => {
    for (const listener of [...listeners]) listener();
  };
  const find = (taskId: string): Job => {
    const job = jobs.get(taskId);
    if (job !== undefined) return job;
    const known = [...jobs.keys()];
    throw new CodedError(
      'not-available',
      `There is no task ${JSON.stringify(taskId)} here. ${known.length === 0 ? 'No task was started since this page was opened; tasks end when it is closed.' : `The tasks are: ${known.join(', ')}.`} Start a command with exec_shell and background=true.`,
    );
  };

  const start = async (request: CommandRequest & { readonly timeoutMs?: number }, callId: CallId): Promise<Job> => {
    const [program, ...words] = ports.runtime.info.shell;
    const runtime = ports.runtime.journal?.as(jobActor(callId)) ?? ports.runtime;
    const step = await ports.openStep(callId);
    const child = await runtime.spawn(program, [...words, request.command], request.cwd === undefined ? {} : { cwd: request.cwd });
    const job: Job = {
      taskId: `task_${++started}`,
      command: request.command,
      callId,
      child,
      writer: child.input.getWriter(),
      output: createOutputBuffer(captureCapBytes),
      step,
      startedAt: ports.clock.now(),
      endedAt: undefined,
      status: 'running',
      exitCode: undefined,
      ending: undefined,
      inputOpen: true,
      stale: false,
      ref: undefined,
      ended: Promise.resolve(),
      shown: 0,
    };
    jobs.set(job.taskId, job);
    ports.emit({ type: 'job-start', callId, taskId: job.taskId, command: job.command });
    const disarm = request.timeoutMs === undefined ? () => {} : ports.clock.after(request.timeoutMs, () => end(job, 'timed-out'));
    job.ended = follow(job, disarm);
    if (request.stdin !== undefined && request.stdin !== '') void job.writer.write(request.stdin).catch(() => {});
    return job;
  };
  const follow = async (job: Job, disarm: () => void): Promise<void> => {
    const take = (text: string) => {
      job.output.push(text);
      if (job.shown < liveLimit) ports.emit({ type: 'call-output', callId: job.callId, text: text.slice(0, liveLimit - job.shown) });
      job.shown += text.length;
      changed();
    };
    try {
      const reader = job.child.output.getReader();
      for (let next = await reader.read(); !next.done; next = await reader.read()) if (next.value !== '') take(next.value);
    } catch (error) {
      take(`\n[its output could not be read any further: ${messageOf(error)}]\n`);
    }
    job.exitCode = await job.child.exit;
    disarm();
    await job.step.close();
    job.status = job.ending ?? (job.exitCode === 0 ? 'completed' : 'failed');
    job.endedAt = ports.clock.now();
    job.inputOpen = false;
    ports.emit({ type: 'job-end', callId: job.callId, taskId: job.taskId, status: job.status, exitCode: job.exitCode });
    makeRoom(jobs);
    changed();
    await ports.commit();
  };
  const end = (job: Job, why: 'killed' | 'timed-out') => {
    if (job.status !== 'running') return;
    job.ending ??= why;
    job.child.kill();
  };
  const look = (job: Job): JobLook => {
    const { text, lostBytes } = job.output.take();
    return {
      taskId: job.taskId,
      command: job.command,
      status: job.status,
      ...(job.exitCode === undefined ? {} : { exitCode: job.exitCode }),
      output: text,
      lostBytes,
      producedBytes: job.output.producedBytes,
      runningMs: (job.endedAt ?? ports.clock.now()) - job.startedAt,
      stale: job.stale,
      ...(job.ref === undefined ? {} : { ref: job.ref }),
    };
  };
  const wait = (isOver: () => boolean, waitMs: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const stop = () => {
        disarm();
        listeners.delete(check);
        signal.removeEventListener('abort', abort);
      };
      const check = () => {
        if (!isOver()) return;
        stop();
        resolve();
      };
      const abort = () => {
        stop();
        reject(signal.reason);
      };
      const disarm = ports.clock.after(waitMs, () => {
        stop();
        resolve();
      });
      listeners.add(check);
      signal.addEventListener('abort', abort);
      check();
    });

  return {
    forCall: (callId, signal) => ({
      async start(request) {
        signal().throwIfAborted();
        return { taskId: (await start(request, callId)).taskId };
      },
      async look(taskId, { waitMs, until }) {
        const job = find(taskId);
        const isOver = () => job.status !== 'running' || (until === 'output' && job.output.isNew);
        if (waitMs > 0 && !isOver()) await wait(isOver, waitMs, signal());
        // What a given-up call would have seen is left for the next look.
        signal().throwIfAborted();
        return look(job);
      },
      async input(taskId, text, closes) {
        const job = find(taskId);
        if (job.status !== 'running')
          throw new CodedError('execution-failed', `${taskId} has ended, so it reads nothing any more. Call exec_shell_wait to see how it ended.`);
        if (!job.inputOpen) throw new CodedError('execution-failed', `The input of ${taskId} is closed already, so it reads nothing any more.`);
        if (text !== '') void job.writer.write(text).catch(() => {});
        if (!closes) return;
        job.inputOpen = false;
        void job.writer.close().catch(() => {});
      },
      async cancel(taskId) {
        const job = find(taskId);
        end(job, 'killed');
        await job.ended;
        return look(job);
      },
      running: () => [...jobs.values()].filter((job) => job.status === 'running').map((job) => job.taskId),
    }),
    whole(taskId) {
      const job = jobs.get(taskId);
      return job === undefined || job.status === 'running' || job.stale || job.ref !== undefined ? undefined : { stdout: job.output.whole(), stderr: '' };
    },
    stored(taskId, ref) {
      const job = jobs.get(taskId);
      if (job === undefined) return;
      job.ref = ref;
      job.output.shrink(0);
    },
    async endAll() {
      for (const job of jobs.values()) end(job, 'killed');
      await Promise.all([...jobs.values()].map((job) => job.ended));
    },
  };
}

/** Forgets what ended first, but for its tail, until the rest fits. */
function makeRoom(jobs: ReadonlyMap<string, Job>): void {
  const whole = [...jobs.values()]
    .filter((job) => job.status !== 'running' && !job.stale && job.ref === undefined)
    .sort((a, b) => (a.endedAt ?? 0) - (b.endedAt ?? 0));
  let bytes = [...jobs.values()].reduce((sum, job) => sum + job.output.keptBytes, 0);
  for (const [index, job] of whole.entries()) {
    if (whole.length - index <= endedJobs && bytes <= tableCapBytes) return;
    // The newest is about to be looked at.
    if (index === whole.length - 1) return;
    bytes -= job.output.keptBytes;
    // What fits into its tail anyway is not forgotten.
    job.stale = job.output.keptBytes > tailOfForgotten || job.stale;
    job.output.shrink(tailOfForgotten);
    bytes += job.output.keptBytes;
  }
}

function runningIn(events: readonly EngineEvent[]): readonly { readonly taskId: string; readonly callId: CallId }[] {
  const open = new Map<string, CallId>();
  for (const event of events) {
    if (event.type === 'job-start') open.set(event.taskId, event.callId);
    else if (event.type === 'job-end') open.delete(event.taskId);
  }
  return [...open].map(([taskId, callId]) => ({ taskId, callId }));
}
