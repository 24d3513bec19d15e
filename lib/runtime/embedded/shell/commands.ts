import { type CustomCommand, defineCommand, type ExecResult } from 'just-bash/browser';
import type { ChildHandle, ProgramLink } from '@/lib/runtime/embedded/program-link';
import { resolveAbsolute } from '@/lib/runtime/embedded/program-path';
import type { OutputFd } from '@/lib/runtime/embedded/protocol';
import { decodeUtf8 } from '@/lib/shared/bytes';
import { type NpmPlan, planNpm } from './npm';
import type { ScriptRunner } from './run-script';
import { bytesOf, type ShellFiles, textOfByteString } from './shell-files';
import { BACKGROUND_COMMAND, LIVE_VARIABLE, WAIT_COMMAND } from './stream-output';

type Context = Parameters<Parameters<typeof defineCommand>[1]>[1];

/** The commands that the shell does not have itself: programs in workers of their own, npm scripts, streaming sub-shells. */
export function programCommands(link: ProgramLink, files: ShellFiles, runner: ScriptRunner): CustomCommand[] {
  const background: Promise<number>[] = [];

  const node = async (args: readonly string[], context: Context): Promise<ExecResult> => {
    const live = liveStreams(context);
    const collected: Record<OutputFd, string[]> = { 1: [], 2: [] };
    const child: ChildHandle = link.start(
      { command: 'node', args, cwd: context.cwd, env: environment(context) },
      {
        live,
        onOutput: (fd, data) => collected[fd].push(typeof data === 'string' ? toByteString(bytesOf(data)) : toByteString(data)),
        // Input goes to a program only if it reads: what it leaves is for the commands after it.
        onInputWanted: () => {
          if (live.input) link.input.listen((text) => (text === undefined ? child.endInput() : child.input(text)));
        },
      },
    );
    if (!live.input) {
      const input = textOfByteString(String(context.stdin));
      if (input !== '') child.input(input);
      child.endInput();
    }
    const exitCode = await child.exit;
    if (live.input) link.input.unlisten();
    return { stdout: collected[1].join(''), stdoutKind: 'bytes', stderr: textOfByteString(collected[2].join('')), exitCode };
  };

  const runNpm = async (plan: Extract<NpmPlan, { kind: 'scripts' }>, context: Context): Promise<ExecResult> => {
    const streams = liveStreams(context).output;
    let stdout = '';
    let stderr = '';
    for (const step of plan.steps) {
      if (streams) link.output(1, step.banner);
      else stdout += step.banner;
      const env = { ...environment(context), ...step.env };
      const cwd = plan.folder;
      if (streams) {
        const { code } = await runner.run({ script: step.script, cwd, env, positional: [] });
        if (code !== 0) return { stdout: '', stderr: '', exitCode: code };
        continue;
      }
      const result = await context.exec?.(step.script, { cwd, env });
      stdout += result ? textOf(result) : '';
      stderr += result?.stderr ?? '';
      if (result && result.exitCode !== 0) return { stdout, stderr, exitCode: result.exitCode };
    }
    return { stdout, stderr, exitCode: 0 };
  };

  const npm = (name: 'npm' | 'npx') =>
    defineCommand(name, async (args, context) => {
      const plan = await planNpm(name, args, context.cwd, async (path) =>
        (await files.exists(path)) ? decodeUtf8(await files.readFileBuffer(path)) : undefined,
      );
      return plan.kind === 'scripts' ? runNpm(plan, context) : { stdout: plan.stdout, stderr: plan.stderr, exitCode: plan.code };
    });

  const shell = (name: 'sh' | 'bash') =>
    defineCommand(name, async (args, context) => {
      const script = liveStreams(context).output ? await scriptOf(args, context, files) : undefined;
      if (!script) return (await context.origCommand?.(args)) ?? { stdout: '', stderr: `${name}: not available\n`, exitCode: 127 };
      const { code } = await runner.run({ ...script, cwd: context.cwd, env: environment(context) });
      return { stdout: '', stderr: '', exitCode: code };
    });

  return [
    defineCommand('node', node),
    npm('npm'),
    npm('npx'),
    shell('sh'),
    shell('bash'),
    // The shell's own puts an empty line between files that are named one by one.
    defineCommand('ls', async (args, context) => {
      const own = async (words: string[]): Promise<ExecResult> =>
        (await context.origCommand?.(words)) ?? { stdout: '', stderr: 'ls: not available\n', exitCode: 127 };
      const named = args.filter((arg) => !arg.startsWith('-'));
      const options = args.filter((arg) => arg.startsWith('-'));
      if (named.length < 2 || args.includes('--')) return own(args);
      const isFile = async (name: string): Promise<boolean> => {
        const path = resolveAbsolute(context.cwd, name);
        return (await files.exists(path)) && (await files.stat(path)).isFile;
      };
      if (!(await Promise.all(named.map(isFile))).every(Boolean)) return own(args);
      const results: ExecResult[] = [];
      for (const name of named) results.push(await own([...options, name]));
      return {
        stdout: results.map((result) => result.stdout).join(''),
        stderr: results.map((result) => result.stderr).join(''),
        exitCode: Math.max(...results.map((result) => result.exitCode)),
      };
    }),
    defineCommand(BACKGROUND_COMMAND, async ([script = ''], context) => {
      const child = link.start(
        { command: 'sh', args: ['-c', script], cwd: context.cwd, env: Object.fromEntries([...context.env].filter(([name]) => /^[A-Za-z_]\w*$/.test(name))) },
        { live: { output: true, input: false }, detached: true },
      );
      background.push(child.exit);
      return { stdout: '', stderr: '', exitCode: 0 };
    }),
    defineCommand(WAIT_COMMAND, async () => {
      const codes = await Promise.all(background.splice(0));
      return { stdout: '', stderr: '', exitCode: codes.at(-1) ?? 0 };
    }),
  ];
}

function liveStreams(context: Context): { readonly output: boolean; readonly input: boolean } {
  const marks = context.env.get(LIVE_VARIABLE) ?? '';
  return { output: marks.includes('o'), input: marks.includes('i') };
}

function environment(context: Context): Record<string, string> {
  const { [LIVE_VARIABLE]: _mark, ...env } = context.exportedEnv ?? {};
  return env;
}

/** `-c SCRIPT` or a script file, when nothing else is asked for; the rest is left to the shell's own command. */
async function scriptOf(
  args: readonly string[],
  context: Context,
  files: ShellFiles,
): Promise<{ readonly script: string; readonly positional: readonly string[] } | undefined> {
  const [first, second, , ...rest] = args;
  if (first === '-c' && second !== undefined) return { script: second, positional: rest };
  if (first === undefined || first.startsWith('-')) return undefined;
  const path = resolveAbsolute(context.cwd, first);
  if (!(await files.exists(path)) || (await files.stat(path)).isDirectory) return undefined;
  return { script: decodeUtf8(await files.readFileBuffer(path)), positional: args.slice(1) };
}

function textOf(result: ExecResult): string {
  return result.stdoutKind === 'bytes' || result.stdoutEncoding === 'binary' ? textOfByteString(result.stdout) : result.stdout;
}

function toByteString(bytes: Uint8Array): string {
  let text = '';
  for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return text;
}
