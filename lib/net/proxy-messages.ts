import type { HopAnswer } from '@/lib/contracts/network';
import { z } from '@/lib/contracts/zod';

/** What the page's engine and the server's fetch route say to one another. One request is one hop. */
export const proxyHeader = 'x-gatehouse-fetch';
export const answerHeader = 'x-gatehouse-answer';

export const hopLimitBytes = 5 * 1024 * 1024;
const hopRequest = z.strictObject({ url: z.string().max(16_384), maxBytes: z.int().min(1).max(hopLimitBytes) });
const hopHead = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('body'), status: z.int(), contentType: z.string(), truncated: z.boolean() }),
  z.object({ kind: z.literal('redirect'), status: z.int(), location: z.string() }),
]);
const hopProblem = z.object({ code: z.string(), message: z.string() });

export type HopRequest = z.infer<typeof hopRequest>;
export type HopProblem = z.infer<typeof hopProblem>;

/** Out    undefined when it is no request of this kind. */
export function readHopRequest(text: string): HopRequest | undefined {
  return readAs(hopRequest, text);
}

/** The answer without its body, as a header may hold it. */
export function writeHopHead(answer: Exclude<HopAnswer, { kind: 'opaque-redirect' }>): string {
  return encodeURIComponent(JSON.stringify(answer.kind === 'body' ? { ...answer, bytes: undefined } : answer));
}

export function readHopHead(header: string, bytes: Uint8Array): HopAnswer | undefined {
  const head = readAs(hopHead, decoded(header));
  return head?.kind === 'body' ? { ...head, bytes } : head;
}

export function readHopProblem(text: string): HopProblem | undefined {
  return readAs(hopProblem, text);
}

function readAs<Shape extends z.ZodType>(shape: Shape, text: string): z.infer<Shape> | undefined {
  try {
    const read = shape.safeParse(JSON.parse(text));
    return read.success ? read.data : undefined;
  } catch {
    return undefined;
  }
}

function decoded(header: string): string {
  try {
    return decodeURIComponent(header);
  } catch {
    return '';
  }
}
