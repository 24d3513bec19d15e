import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface StandInServer {
  readonly url: string;
  /** Requests so far. */
  readonly requests: readonly { readonly path: string; readonly headers: IncomingMessage['headers']; readonly body: string }[];
  close(): Promise<void>;
}

/** A provider's stand-in on the loopback: each request gets the next answer, the last one again and again. */
export async function serveAnswers(...answers: readonly ((response: ServerResponse) => void)[]): Promise<StandInServer> {
  const requests: { path: string; headers: IncomingMessage['headers']; body: string }[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    requests.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(parts).toString() });
    answers[Math.min(requests.length, answers.length) - 1]?.(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
