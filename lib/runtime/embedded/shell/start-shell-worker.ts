import { ProgramLink } from '@/lib/runtime/embedded/program-link';
import type { WorkerScope } from '@/lib/runtime/embedded/protocol';
import { messageOf } from '@/lib/shared/coded-error';
import { programCommands } from './commands';
import { hostCommands } from './host-commands';
import { ScriptRunner } from './run-script';
import { ShellFiles } from './shell-files';

/** Makes this worker a shell: it runs the scripts it is sent, one after another. */
export function startShellWorker(scope: WorkerScope): void {
  const link = new ProgramLink(scope);
  const files = new ShellFiles(link);
  let hostNames: readonly string[] = [];
  const runner = new ScriptRunner(link, files, (self) => [...programCommands(link, files, self), ...hostCommands(link, hostNames)]);
  scope.onMessage((message) => {
    if (link.receive(message)) return;
    if (message.type !== 'shell') return;
    hostNames = message.hostCommands;
    link.input.reset();
    scope.post({ type: 'want-input' });
    void runner.run(message).then(
      ({ code, env }) => scope.post({ type: 'exit', code, cwd: env.PWD ?? message.cwd, env }),
      (error: unknown) => {
        // A fault of the shell itself: without an end the command would seem to run for ever.
        link.output(2, `sh: ${messageOf(error)}\n`);
        scope.post({ type: 'exit', code: 2, cwd: message.cwd, env: message.env });
      },
    );
  });
  scope.post({ type: 'ready' });
}
