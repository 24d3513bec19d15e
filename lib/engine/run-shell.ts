import type { Runtime } from '@/lib/contracts/runtime';
import type { CommandRequest, CommandResult } from '@/lib/contracts/tool-context';
import { utf8Length } from '@/lib/shared/bytes';
import { headBytes } from '@/lib/shared/text-lines';

/** Bytes of a command's output that are kept; what comes after is counted only. */
export const captureCapBytes = 16 * 1024 * 1024;

/** UTF-16 units of live output that one call shows; the whole is in its result. */
export const liveLimit = 512 * 1024;

/**
 * Runs one command line in the runtime's shell, to its end.
 *
 * In     `signal` kills it; `onOutput` gets its output as it comes; `capBytes` of it are kept.
 * Out    exit code and output, stdout and stderr as they came.
 * Fails  rejects with the signal's reason when it was aborted before, and with CodedError `not-available` when no shell can be started.
 */
export async function runShell(
  runtime: Runtime,
  request: CommandRequest,
  signal: AbortSignal,
  onOutput: (text: string) => void = () => {},
  capBytes = captureCapBytes,
): Promise<CommandResult> {
  signal.throwIfAborted();
  const [program, ...before] = runtime.info.shell;
  const child = await runtime.spawn(program, [...before, request.command], request.cwd === undefined ? {} : { cwd: request.cwd });
  const kill = () => child.kill();
  signal.addEventListener('abort', kill, { once: true });
  if (signal.aborted) kill();
  try {
    const feeding = feed(child.input, request.stdin);
    const kept: string[] = [];
    let producedBytes = 0;
    const reader = child.output.getReader();
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      if (next.value === '') continue;
      const bytes = utf8Length(next.value);
      if (producedBytes < capBytes) kept.push(producedBytes + bytes <= capBytes ? next.value : headBytes(next.value, capBytes - producedBytes));
      producedBytes += bytes;
      onOutput(next.value);
    }
    await feeding;
    return { exitCode: await child.exit, output: kept.join(''), producedBytes };
  } finally {
    signal.removeEventListener('abort', kill);
  }
}

async function feed(input: WritableStream<string>, text: string | undefined): Promise<void> {
  const writer = input.getWriter();
  try {
    if (text !== undefined && text !== '') await writer.write(text);
    await writer.close();
  } catch {
    // The program ended without reading all of its input, as `head` does.
  }
}
