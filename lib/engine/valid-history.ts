import type { AssistantMessage, Message, ToolMessage, ToolResultBlock } from '@/lib/contracts/message';

/**
 * Makes a history that every provider takes.
 *
 * Out    every assistant message with calls is followed at once by one tool message with one result a call, in call order;
 *        results without a call become user text; neighbouring user texts are joined. Valid histories come back equal.
 * Source governance 12.
 */
export function makeValidHistory(messages: readonly Message[]): readonly Message[] {
  const valid: Message[] = [];
  for (let at = 0; at < messages.length; at++) {
    const message = messages[at] as Message;
    if (message.role === 'user') pushUser(valid, message.text);
    else if (message.role === 'tool') for (const stray of message.results) pushUser(valid, `[earlier tool output] ${stray.content}`);
    else {
      if (message.blocks.length === 0) continue;
      valid.push(message);
      const calls = message.blocks.filter((block) => block.kind === 'call');
      if (calls.length === 0) continue;
      const next = messages[at + 1];
      const given = next?.role === 'tool' ? next : undefined;
      if (given !== undefined) at++;
      valid.push(resultsFor(message, given));
      for (const stray of given?.results ?? []) if (!calls.some((call) => call.callId === stray.callId)) pushUser(valid, `[earlier tool output] ${stray.content}`);
    }
  }
  return valid;
}

function resultsFor(message: AssistantMessage, given: ToolMessage | undefined): ToolMessage {
  const results: ToolResultBlock[] = [];
  for (const block of message.blocks) {
    if (block.kind !== 'call') continue;
    const found = given?.results.find((result) => result.callId === block.callId);
    const { callId, wireId, name } = block;
    results.push(found ?? { callId, wireId, name, content: 'Cancelled (no result was recorded)', isError: true });
  }
  return given !== undefined && given.results.length === results.length && results.every((result, i) => result === given.results[i]) ? given : { role: 'tool', results };
}

function pushUser(messages: Message[], text: string): void {
  const last = messages.at(-1);
  if (last?.role === 'user') messages[messages.length - 1] = { role: 'user', text: `${last.text}\n${text}` };
  else messages.push({ role: 'user', text });
}
