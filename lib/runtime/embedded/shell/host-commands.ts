import { type CustomCommand, defineCommand, type ExecResult } from 'just-bash/browser';
import type { HostCommandAnswer } from '@/lib/contracts/host-command';
import type { ProgramLink } from '@/lib/runtime/embedded/program-link';
import { textOfByteString } from './shell-files';
import { LIVE_VARIABLE } from './stream-output';

/** The commands that run on the engine's side, beside the files, as commands of the shell. */
export function hostCommands(link: ProgramLink, names: readonly string[]): CustomCommand[] {
  return names.map((name) =>
    defineCommand(name, async (args, context): Promise<ExecResult> => {
      const { [LIVE_VARIABLE]: _mark, ...env } = context.exportedEnv ?? {};
      const answer = await link.call({ kind: 'command', name, args, cwd: context.cwd, env, stdin: textOfByteString(String(context.stdin)) });
      const { stdout, stderr, exitCode } = answer as HostCommandAnswer;
      return { stdout, stderr, exitCode };
    }),
  );
}
