import type { ProviderId } from '@/lib/contracts/provider';
import { z } from '@/lib/contracts/zod';
import { CodedError } from '@/lib/shared/coded-error';
import { isJsonObject, type JsonObject } from '@/lib/shared/json';
import { type ResultView, readResult } from './read-result';

/** A call the model made earlier, as it stands in the history, with what came back for it. */
export interface CallView {
  readonly wireId: string;
  readonly name: string;
  readonly input: JsonObject;
  /** Absent only where a history is not valid: every call has its result. */
  readonly result?: ResultView;
}

/** One earlier response of the model. */
export interface StepView {
  readonly text: string;
  readonly calls: readonly CallView[];
}

/** One message of the person and the steps that followed. */
export interface TurnView {
  readonly userText: string;
  readonly steps: readonly StepView[];
}

/** A request as the practice model understands it, whatever wire it came over. */
export interface Conversation {
  readonly model: string;
  readonly toolNames: ReadonlySet<string>;
  /** Oldest first. */
  readonly turns: readonly TurnView[];
}

type Item =
  | { readonly kind: 'user'; readonly text: string }
  | { readonly kind: 'step'; readonly text: string; readonly calls: readonly Omit<CallView, 'result'>[] }
  | { readonly kind: 'result'; readonly wireId: string; readonly text: string; readonly isError: boolean | undefined };

/**
 * Reads the JSON body of a request into turns, steps and calls with their results.
 *
 * Out    turns in order; text from the person in one message is one text.
 * Fails  CodedError `bad-request`: the body is not a request of this wire; the message names the field.
 */
export function readConversation(wire: ProviderId, body: unknown): Conversation {
  return wire === 'anthropic' ? readAnthropic(parse(anthropicBody, body)) : readOpenAiChat(parse(openAiBody, body));
}

function parse<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new CodedError('bad-request', `${issue?.path.map(String).join('.') || 'body'}: ${issue?.message ?? 'not a request'}`);
}

const textBlock = z.object({ type: z.literal('text'), text: z.string() });
const otherBlock = z.looseObject({ type: z.string() }).transform(() => ({ type: 'other' as const }));
const texts = z.union([z.string(), z.array(z.union([textBlock, otherBlock]))]);
const jsonObject = z.custom<JsonObject>(isJsonObject, 'must be an object');

const anthropicBlock = z.union([
  textBlock,
  z.object({ type: z.literal('tool_use'), id: z.string(), name: z.string(), input: jsonObject }),
  z.object({ type: z.literal('tool_result'), tool_use_id: z.string(), content: texts.optional(), is_error: z.boolean().optional() }),
  otherBlock,
]);

const anthropicBody = z.object({
  model: z.string(),
  stream: z.literal(true),
  messages: z.array(z.object({ role: z.enum(['user', 'assistant']), content: z.union([z.string(), z.array(anthropicBlock)]) })).min(1),
  tools: z.array(z.looseObject({ name: z.string() })).optional(),
});

function readAnthropic(body: z.output<typeof anthropicBody>): Conversation {
  const items: Item[] = [];
  for (const message of body.messages) {
    const blocks = typeof message.content === 'string' ? [{ type: 'text' as const, text: message.content }] : message.content;
    if (message.role === 'assistant') {
      const calls = blocks.flatMap((block) => (block.type === 'tool_use' ? [{ wireId: block.id, name: block.name, input: block.input }] : []));
      items.push({ kind: 'step', text: joinTexts(blocks), calls });
      continue;
    }
    for (const block of blocks) {
      if (block.type === 'tool_result')
        items.push({ kind: 'result', wireId: block.tool_use_id, text: joinTexts(block.content ?? ''), isError: block.is_error === true });
    }
    const text = joinTexts(blocks);
    if (text !== '') items.push({ kind: 'user', text });
  }
  return fold(
    body.model,
    (body.tools ?? []).map((tool) => tool.name),
    items,
  );
}

const openAiMessage = z.discriminatedUnion('role', [
  z.object({ role: z.literal('system') }),
  z.object({ role: z.literal('developer') }),
  z.object({ role: z.literal('user'), content: texts }),
  z.object({
    role: z.literal('assistant'),
    content: texts.nullish(),
    tool_calls: z.array(z.object({ id: z.string(), function: z.object({ name: z.string(), arguments: z.string() }) })).nullish(),
  }),
  z.object({ role: z.literal('tool'), tool_call_id: z.string(), content: texts }),
]);

const openAiBody = z.object({
  model: z.string(),
  stream: z.literal(true),
  messages: z.array(openAiMessage).min(1),
  tools: z.array(z.object({ function: z.looseObject({ name: z.string() }) })).optional(),
});

function readOpenAiChat(body: z.output<typeof openAiBody>): Conversation {
  const items: Item[] = [];
  for (const message of body.messages) {
    if (message.role === 'user') items.push({ kind: 'user', text: joinTexts(message.content) });
    else if (message.role === 'assistant') {
      const calls = (message.tool_calls ?? []).map((call) => ({ wireId: call.id, name: call.function.name, input: readArguments(call.function.arguments) }));
      items.push({ kind: 'step', text: joinTexts(message.content ?? ''), calls });
    } else if (message.role === 'tool') items.push({ kind: 'result', wireId: message.tool_call_id, text: joinTexts(message.content), isError: undefined });
  }
  return fold(
    body.model,
    (body.tools ?? []).map((tool) => tool.function.name),
    items,
  );
}

function readArguments(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}

type Texts = string | readonly ({ readonly type: 'text'; readonly text: string } | { readonly type: string })[];

function joinTexts(content: Texts): string {
  if (typeof content === 'string') return content;
  return content.flatMap((block) => ('text' in block && block.type === 'text' ? [block.text] : [])).join('\n\n');
}

function fold(model: string, toolNames: readonly string[], items: readonly Item[]): Conversation {
  const results = new Map<string, Extract<Item, { kind: 'result' }>>();
  for (const item of items) if (item.kind === 'result') results.set(item.wireId, item);

  const turns: { userText: string; steps: StepView[] }[] = [];
  for (const item of items) {
    if (item.kind === 'user') turns.push({ userText: item.text, steps: [] });
    else if (item.kind === 'step') {
      const calls = item.calls.map((call): CallView => {
        const result = results.get(call.wireId);
        return result === undefined ? call : { ...call, result: readResult(call.name, result.text, result.isError) };
      });
      // A history that begins with the model is unusual, not wrong.
      if (turns.length === 0) turns.push({ userText: '', steps: [] });
      turns[turns.length - 1]?.steps.push({ text: item.text, calls });
    }
  }
  return { model, toolNames: new Set(toolNames), turns };
}
