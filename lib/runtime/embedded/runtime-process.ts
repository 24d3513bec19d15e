import type { RuntimeProcess } from '@/lib/contracts/runtime';
import type { Job, JobRequest, StartJob } from './job';
import type { OutputChunk, OutputFd } from './protocol';

/** Starts a job and shows it as the `Runtime` surface does: one merged text stream out, one in. */
export function startRuntimeProcess(start: StartJob, request: Omit<JobRequest, 'onOutput'>): RuntimeProcess {
  let sink: ReadableStreamDefaultController<string> | undefined;
  const output = new ReadableStream<string>({
    start(controller) {
      sink = controller;
    },
    cancel() {
      sink = undefined;
    },
  });
  const decoders = { 1: new TextDecoder('utf-8', { ignoreBOM: true }), 2: new TextDecoder('utf-8', { ignoreBOM: true }) } as const;
  // A terminal needs the carriage return that programs leave out.
  const shown = request.terminal ? (text: string) => text.replace(/\r?\n/g, '\r\n') : (text: string) => text;
  const emit = (text: string): void => {
    if (text !== '') sink?.enqueue(shown(text));
  };
  const onOutput = (fd: OutputFd, data: OutputChunk): void => emit(typeof data === 'string' ? data : decoders[fd].decode(data, { stream: true }));
  const job: Job = start({ ...request, onOutput });
  const exit = job.exit.then((code) => {
    emit(decoders[1].decode());
    emit(decoders[2].decode());
    sink?.close();
    sink = undefined;
    return code;
  });
  const input = new WritableStream<string>({
    write(text) {
      job.input(text);
    },
    close() {
      job.endInput();
    },
    abort() {
      job.endInput();
    },
  });
  return { output, input, exit, kill: () => job.kill(), resize: (size) => job.resize(size) };
}
