import type { Runtime, RuntimeProcess, SpawnOptions } from '@/lib/contracts/runtime';

export interface Ran {
  readonly code: number;
  readonly output: string;
}

/** Runs a program to its end with `input` on its standard input. */
export async function runProgram(
  runtime: Runtime,
  command: string,
  args: readonly string[],
  options?: SpawnOptions & { readonly input?: string },
): Promise<Ran> {
  const program = await runtime.spawn(command, args, options);
  const writer = program.input.getWriter();
  if (options?.input) await writer.write(options.input);
  await writer.close();
  const output = await readAll(program);
  return { code: await program.exit, output };
}

/** Runs a shell command line to its end. */
export function runShell(runtime: Runtime, line: string, options?: SpawnOptions & { readonly input?: string }): Promise<Ran> {
  const [program, ...args] = runtime.info.shell;
  return runProgram(runtime, program, [...args, line], options);
}

export async function readAll(program: RuntimeProcess): Promise<string> {
  let output = '';
  const reader = program.output.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) output += part.value;
  return output;
}

/** Reads until the output so far holds `text`; answers it all. */
export async function readUntil(reader: ReadableStreamDefaultReader<string>, text: string): Promise<string> {
  let output = '';
  while (!output.includes(text)) {
    const part = await reader.read();
    if (part.done) throw new Error(`The output ended before ${JSON.stringify(text)}: ${JSON.stringify(output)}`);
    output += part.value;
  }
  return output;
}
