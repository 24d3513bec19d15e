import { defineTool } from '@/lib/contracts/tool-spec';
import { z } from '@/lib/contracts/zod';
import { lookText } from '@/lib/shared/job-words';

const input = z.object({
  task_id: z.string().min(1).optional().describe('The task to end, as exec_shell named it.'),
  all: z.boolean().default(false).describe('End every task of this session that runs, instead of one.'),
});

export const execShellCancel = defineTool({
  name: 'exec_shell_cancel',
  description:
    'Ends a background task of exec_shell and everything it started. Use it when a server or watcher is not needed any more, or a command hangs. Send task_id, or all=true. Returns the last output that you have not seen. What the task did to files stays.',
  input,
  capabilities: ['requires-approval', 'sandboxable'],
  title: 'End a running command',
  deferLoading: true,
  result: 'shell',
  validateInput({ task_id, all }) {
    if (task_id === undefined && !all) return { kind: 'missing-field', message: 'Nothing says which task to end. Send task_id, or all=true for every one.' };
    return task_id !== undefined && all ? { kind: 'invalid-input', message: 'task_id and all=true contradict each other. Send one of them.' } : undefined;
  },
  summarize: ({ task_id, all }) => (all ? 'every task' : (task_id ?? '')),
  async execute({ task_id, all }, context) {
    if (!all && task_id !== undefined) {
      const look = await context.jobs.cancel(task_id);
      const { taskId, status, stale, producedBytes } = look;
      return { ok: true, content: lookText(look), metadata: { taskId, status, stale, producedBytes } };
    }
    const running = context.jobs.running();
    if (running.length === 0) return { ok: true, content: 'No task is running.', data: { ended: 0 } };
    const looks = await Promise.all(running.map((taskId) => context.jobs.cancel(taskId)));
    return { ok: true, content: looks.map(lookText).join('\n'), data: { ended: looks.length } };
  },
});
