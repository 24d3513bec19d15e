import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from '@playwright/test';
import type { Workbench } from './workbench';

/** What the stand-in says next: words, calls, or an answer of its own making. */
export type Answer =
  | { readonly text?: string; readonly calls?: readonly { readonly name: string; readonly input: Readonly<Record<string, unknown>> }[] }
  | ((response: ServerResponse) => void);

export interface ModelServer {
  readonly baseUrl: string;
  /** Bodies and keys of the requests so far. */
  readonly requests: readonly { readonly body: string; readonly authorization: string | undefined }[];
  /** Answers of the requests to come; when they are used up it says "Nothing more." */
  answer(...answers: readonly Answer[]): void;
  close(): Promise<void>;
}

const cors = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*', 'access-control-allow-private-network': 'true' };

/** A model's server on the loopback that speaks Chat Completions and says what it is told to. */
export async function serveModel(): Promise<ModelServer> {
  const waiting: Answer[] = [];
  const requests: { body: string; authorization: string | undefined }[] = [];
  const server = createServer(async (request, response) => {
    for (const [name, value] of Object.entries(cors)) response.setHeader(name, value);
    if (request.method === 'OPTIONS') return response.writeHead(204).end();
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    requests.push({ body: Buffer.concat(parts).toString(), authorization: request.headers.authorization });
    const answer = waiting.shift() ?? { text: 'Nothing more.' };
    if (typeof answer === 'function') answer(response);
    else stream(response, answer, requests.length);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    answer: (...answers) => void waiting.push(...answers),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function stream(response: ServerResponse, { text, calls = [] }: Exclude<Answer, (response: ServerResponse) => void>, round: number): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const chunk = (delta: unknown, finish: string | null = null): void => {
    response.write(
      `data: ${JSON.stringify({ id: `answer-${round}`, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`,
    );
  };
  chunk({ role: 'assistant' });
  for (const word of text?.match(/\S+\s*/g) ?? []) chunk({ content: word });
  calls.forEach(({ name, input }, index) => {
    chunk({ tool_calls: [{ index, id: `call_${round}_${index}`, type: 'function', function: { name, arguments: '' } }] });
    const written = JSON.stringify(input);
    for (let at = 0; at < written.length; at += 7) chunk({ tool_calls: [{ index, function: { arguments: written.slice(at, at + 7) } }] });
  });
  chunk({}, calls.length > 0 ? 'tool_calls' : 'stop');
  response.end('data: [DONE]\n\n');
}

/** Opens the dialog and fills it in; nothing is sent yet. */
export async function fillConnection({ page }: Workbench, baseUrl: string, apiKey: string): Promise<void> {
  await page.getByRole('button', { name: /^Model: / }).click();
  await page.getByRole('menuitem', { name: 'Connect a model…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Connect a model' });
  await dialog.getByLabel('Provider').selectOption({ label: 'OpenAI-compatible' });
  await dialog.getByLabel('Address').fill(baseUrl);
  await dialog.getByLabel('Model', { exact: true }).fill('stand-in');
  await dialog.getByLabel('Key').fill(apiKey);
}

/** Connects the stand-in, so that the next turn goes to it. */
export async function connect(workbench: Workbench, server: ModelServer, apiKey = 'sk-e2e-0123456789abcdef'): Promise<void> {
  await fillConnection(workbench, server.baseUrl, apiKey);
  await workbench.page.getByRole('button', { name: 'Use this model' }).click();
  await expect(workbench.page.getByRole('dialog')).toHaveCount(0);
  await expect(workbench.page.getByRole('button', { name: 'Model: stand-in' })).toBeVisible();
}
