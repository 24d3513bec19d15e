import { defineTool } from '@/lib/contracts/tool-spec';
import { z } from '@/lib/contracts/zod';
import { lookText } from '@/lib/shared/job-words';
import { oneLine } from '@/lib/shared/text-lines';

/** How long it waits for the task's answer. */
const ANSWER_MS = 1_000;

const input = z.object({
  task_id: z.string().min(1).describe('The task, as exec_shell named it.'),
  input: z.string().max(100_000).describe('Text for its standard input, exactly as it shall read it; end a line with a newline.'),
  close_stdin: z.boolean().default(false).describe('Close its standard input afterwards: programs that read to the end go on then.'),
});

export const execShellInteract = defineTool({
  name: 'exec_shell_interact',
  description:
    'Writes to the standard input of a background task of exec_shell. Use it to answer a program that asks, or to give it more work. It waits a second for the answer. Returns what the task wrote since you last looked, and whether it runs; when there is nothing new yet, look again with exec_shell_wait.',
  input,
  capabilities: ['executes-code', 'sandboxable'],
  title: 'Write to a running command',
  // The same answer may be right again and again.
  isPolling: true,
  result: 'shell',
  validateInput: (request) =>
    request.input === '' && !request.close_stdin
      ? { kind: 'invalid-input', message: 'input is empty, so nothing would be written. Send the text, or close_stdin=true to end its input.' }
      : undefined,
  summarize: (request) => oneLine(`${request.task_id}: ${JSON.stringify(request.input)}${request.close_stdin ? ', then end of input' : ''}`),
  async execute(request, context) {
    await context.jobs.input(request.task_id, request.input, request.close_stdin);
    const look = await context.jobs.look(request.task_id, { waitMs: ANSWER_MS, until: 'output' });
    const { taskId, status, stale, exitCode, producedBytes } = look;
    return { ok: true, content: lookText(look), metadata: { taskId, status, stale, producedBytes, ...(exitCode === undefined ? {} : { exitCode }) } };
  },
});
