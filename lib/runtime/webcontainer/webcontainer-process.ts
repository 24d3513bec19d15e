import type { Clock } from '@/lib/contracts/clock';
import type { RuntimeProcess } from '@/lib/contracts/runtime';
import type { WebContainerProgram } from './instance';

/** After a program's end its last output may still be on the way out of the vendor's frame; longer than this nobody waits. */
const lastOutputMs = 1000;
/** End of input, as a terminal spells it: the vendor's input stream has no end of its own. */
const endOfInput = '\x04';

/** A program of the instance by the contract's rules: output that closes before `exit` settles, an input that ends, a kill at once. */
export function adoptProcess(child: WebContainerProgram, after: Clock['after'], onEnd: () => void): RuntimeProcess {
  let settle: (code: number) => void = () => undefined;
  const exit = new Promise<number>((resolve) => {
    settle = resolve;
  });
  const reader = child.output.getReader();
  let wanted: ReadableStreamDefaultController<string> | undefined;
  let ended = false;
  const output = new ReadableStream<string>({
    start(controller) {
      wanted = controller;
    },
    cancel() {
      wanted = undefined;
    },
  });
  const end = (code: number) => {
    if (ended) return;
    ended = true;
    wanted?.close();
    onEnd();
    settle(code);
  };
  const pump = async () => {
    for (let next = await reader.read(); !next.done && !ended; next = await reader.read()) wanted?.enqueue(next.value);
  };
  const pumped = pump().catch(() => undefined);
  const exited = async (code: number) => {
    await new Promise<void>((resolve) => {
      const cancel = after(lastOutputMs, resolve);
      void pumped.then(() => {
        cancel();
        resolve();
      });
    });
    end(code);
  };
  child.exit.then(exited, () => end(1));

  const writer = child.input.getWriter();
  let lastMark = '\n';
  return {
    output,
    input: new WritableStream<string>({
      async write(text) {
        if (text === '') return;
        lastMark = text.slice(-1);
        await writer.write(text);
      },
      // Inside a line the first one only hands the line over.
      close: () => writer.write(lastMark === '\n' ? endOfInput : endOfInput + endOfInput),
    }),
    exit,
    kill() {
      if (ended) return;
      child.kill();
      end(130);
      void reader.cancel().catch(() => undefined);
    },
    resize: (size) => child.resize(size),
  };
}

/** A program that was never there: it says so and exits 127, as in a shell. */
export function notFoundProcess(words: string): RuntimeProcess {
  return {
    output: new ReadableStream<string>({
      start(controller) {
        controller.enqueue(`${words}\n`);
        controller.close();
      },
    }),
    input: new WritableStream<string>(),
    exit: Promise.resolve(127),
    kill: () => undefined,
    resize: () => undefined,
  };
}
