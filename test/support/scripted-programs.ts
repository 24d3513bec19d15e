import { emptyRuntime } from '@/lib/conformance/empty-runtime';
import type { Runtime, RuntimeProcess } from '@/lib/contracts/runtime';

/** A program that a test runs by hand. */
export interface ScriptedProgram {
  readonly command: string;
  write(text: string): void;
  end(code: number): void;
  /** What was written to its input so far. */
  readonly input: string[];
  readonly inputClosed: () => boolean;
}

/** A runtime whose shell runs nothing by itself: each command becomes a program that the test drives. */
export function createScriptedPrograms(): { readonly runtime: Runtime; readonly programs: ScriptedProgram[] } {
  const programs: ScriptedProgram[] = [];
  const spawn = async (_: string, args: readonly string[]): Promise<RuntimeProcess> => {
    const input: string[] = [];
    let closed = false;
    let over = false;
    let sink: ReadableStreamDefaultController<string> | undefined;
    let settle: (code: number) => void = () => {};
    const exit = new Promise<number>((resolve) => {
      settle = resolve;
    });
    const end = (code: number) => {
      if (over) return;
      over = true;
      sink?.close();
      settle(code);
    };
    programs.push({ command: args.at(-1) ?? '', write: (text) => sink?.enqueue(text), end, input, inputClosed: () => closed });
    return {
      output: new ReadableStream<string>({
        start(controller) {
          sink = controller;
        },
      }),
      input: new WritableStream<string>({
        write: (text) => void input.push(text),
        close() {
          closed = true;
        },
      }),
      exit,
      kill: () => end(130),
      resize: () => {},
    };
  };
  return { runtime: { ...emptyRuntime, spawn }, programs };
}
