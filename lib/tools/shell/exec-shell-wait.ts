import { defineTool } from '@/lib/contracts/tool-spec';
import { z } from '@/lib/contracts/zod';
import { lookText } from '@/lib/shared/job-words';

/** Above what it waits: the look itself is quick. */
const MARGIN_MS = 30_000;

const input = z.object({
  task_id: z.string().min(1).describe('The task, as exec_shell named it.'),
  timeout_ms: z.int().min(0).max(600_000).default(10_000).describe('Milliseconds to wait for its end; 0 looks at once.'),
});

export const execShellWait = defineTool({
  name: 'exec_shell_wait',
  description:
    'Waits for a background task of exec_shell to end, and shows what it wrote since you last looked. Use it to follow a server, a watcher or a long build; wait longer rather than more often. It comes back when the task ends or timeout_ms have passed. Returns the new output only, then whether the task runs or how it ended; a task that ended with long output names an id for the whole.',
  input,
  capabilities: ['read-only', 'sandboxable'],
  // A look whose answer differs from the one before is no loop.
  isPolling: true,
  timeoutMsFor: ({ timeout_ms }) => timeout_ms + MARGIN_MS,
  result: 'shell',
  summarize: ({ task_id, timeout_ms }) => `${task_id}, up to ${timeout_ms / 1000} s`,
  async execute({ task_id, timeout_ms }, context) {
    const look = await context.jobs.look(task_id, { waitMs: timeout_ms, until: 'end' });
    const { taskId, status, stale, exitCode, producedBytes } = look;
    const metadata = { taskId, status, stale, producedBytes, ...(exitCode === undefined ? {} : { exitCode }) };
    const failed = status === 'failed' || status === 'timed-out';
    return { ok: !failed, ...(failed ? { error: 'execution-failed' as const } : {}), content: lookText(look), metadata };
  },
});
