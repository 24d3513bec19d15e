import { CodedError, codeOf, messageOf } from '@/lib/shared/coded-error';

/** An answer that keeps an error's code: comlink would drop it. */
export type Answer<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly code: string; readonly message: string };

/** Runs and turns what it throws into an answer. */
export async function answering<Value>(run: () => Promise<Value>): Promise<Answer<Value>> {
  try {
    return { ok: true, value: await run() };
  } catch (error) {
    return { ok: false, code: codeOf(error) ?? 'failed', message: messageOf(error) };
  }
}

/** The value of an answer; throws its error as a CodedError. */
export async function unwrap<Value>(answer: Promise<Answer<Value>>): Promise<Value> {
  const given = await answer;
  if (given.ok) return given.value;
  throw new CodedError(given.code, given.message);
}

type StreamMessage = { readonly text: string } | { readonly end: true };

/** Sends a stream of text over a port, in the groups it comes in. Transferable streams are missing in some browsers. */
export function pumpToPort(stream: ReadableStream<string>, port: MessagePort): void {
  const reader = stream.getReader();
  const pump = async () => {
    for (let next = await reader.read(); !next.done; next = await reader.read()) port.postMessage({ text: next.value } satisfies StreamMessage);
  };
  pump()
    .catch(() => undefined)
    .finally(() => port.postMessage({ end: true } satisfies StreamMessage));
}

/** The other end of `pumpToPort`. */
export function streamFromPort(port: MessagePort): ReadableStream<string> {
  return new ReadableStream<string>({
    start(controller) {
      port.onmessage = (event: MessageEvent<StreamMessage>) => {
        if ('text' in event.data) controller.enqueue(event.data.text);
        else {
          controller.close();
          port.close();
        }
      };
    },
    cancel: () => port.close(),
  });
}

/** A writable end over a port; closing it sends the end. */
export function sinkToPort(port: MessagePort): WritableStream<string> {
  return new WritableStream<string>({
    write: (text) => port.postMessage({ text } satisfies StreamMessage),
    close: () => port.postMessage({ end: true } satisfies StreamMessage),
  });
}

/** Writes what arrives on a port into a program's input. */
export function portToSink(port: MessagePort, sink: WritableStream<string>): void {
  const writer = sink.getWriter();
  port.onmessage = (event: MessageEvent<StreamMessage>) => {
    const written = 'text' in event.data ? writer.write(event.data.text) : writer.close();
    // The program may have ended before its input did.
    written.catch(() => port.close());
  };
}
