import { defineTool } from '@/lib/contracts/tool-spec';
import { z } from '@/lib/contracts/zod';
import { utf8Length } from '@/lib/shared/bytes';
import { oneLine } from '@/lib/shared/text-lines';
import { normalizeWorkspacePath, pathEscapeError, spellPath } from '@/lib/shared/workspace-path';

const DEFAULT_TIMEOUT_MS = 120_000;

const input = z.object({
  command: z.string().describe('The command line, as for a POSIX shell; several commands may be joined.'),
  timeout_ms: z.int().min(1).max(600_000).optional().describe('Milliseconds after which the command is stopped; default 120,000, in the background none.'),
  cwd: z.string().optional().describe('Folder to run in, relative to the workspace root; default the root.'),
  stdin: z.string().optional().describe('Text given to the command on standard input.'),
  background: z.boolean().default(false).describe('Start it and come back at once with a task_id, for servers, watchers and long builds.'),
});

export const execShell = defineTool({
  name: 'exec_shell',
  description:
    'Runs one command line in the workspace and waits for it to end. Use it for what needs a program: tests, builds, git, scripts. To read, list, search or change files use read_file, list_dir, grep_files, file_search, edit_file and write_file instead: they need fewer approvals and give line numbers. The command gets no terminal; give answers in stdin. Returns standard output and standard error together as they came; an exit code other than 0 is named at the end. Long output keeps its beginning and its end; the rest can be fetched by the id in the text. With background=true it runs on, also after your turn: exec_shell_wait shows what is new.',
  input,
  capabilities: ['executes-code', 'sandboxable'],
  // The same command is run again after an edit to see what changed: only equal outputs make it a loop.
  isPolling: true,
  timeoutMs: DEFAULT_TIMEOUT_MS,
  timeoutMsFor: ({ timeout_ms, background }) => (background ? DEFAULT_TIMEOUT_MS : (timeout_ms ?? DEFAULT_TIMEOUT_MS)),
  result: 'shell',
  validateInput({ command, cwd }) {
    if (command.trim() === '') return { kind: 'invalid-input', message: 'command is empty. Send the command line to run, for example "npm test".' };
    if (command.includes('\0')) return { kind: 'invalid-input', message: 'command holds a NUL character, which no shell accepts. Send it without.' };
    return pathEscapeError(cwd);
  },
  pathsFor: ({ cwd }) => ({ reads: cwd === undefined ? [] : [spellPath(cwd)] }),
  summarize({ command, cwd, background }) {
    const notes = [...(cwd === undefined ? [] : [`in ${cwd}`]), ...(background ? ['in the background'] : [])];
    return oneLine(notes.length === 0 ? command : `${command} (${notes.join(', ')})`);
  },
  async execute({ command, cwd, stdin, timeout_ms, background }, context) {
    const request = {
      command,
      ...(cwd === undefined ? {} : { cwd: normalizeWorkspacePath(cwd) }),
      ...(stdin === undefined ? {} : { stdin }),
    };
    if (background) {
      const { taskId } = await context.jobs.start(timeout_ms === undefined ? request : { ...request, timeoutMs: timeout_ms });
      const until = timeout_ms === undefined ? '' : ` It is stopped after ${timeout_ms} ms.`;
      return {
        ok: true,
        content: `Started ${taskId}.${until} exec_shell_wait task_id=${taskId} shows what it writes and how it ends, exec_shell_interact writes to it, exec_shell_cancel ends it.`,
        data: { taskId },
      };
    }
    const { exitCode, output, producedBytes } = await context.runCommand(request);
    const data = { exitCode, producedBytes, keptBytes: utf8Length(output) };
    const metadata = { exitCode, producedBytes };
    if (exitCode === 0) return { ok: true, content: output === '' ? '(no output, exit code 0)' : output, data, metadata };
    const ending = `[exit code ${exitCode}${EXIT_MEANINGS[exitCode] ?? ''}]`;
    return {
      ok: false,
      error: 'execution-failed',
      content: output === '' ? `(no output)\n${ending}` : `${output}${output.endsWith('\n') ? '' : '\n'}${ending}`,
      data,
      metadata,
    };
  },
});

const EXIT_MEANINGS: Readonly<Record<number, string>> = {
  126: ': found, but it cannot be run',
  127: ': command not found',
  130: ': stopped',
};
