import { describe, expect, it } from 'vitest';
import { createForgeryFilter } from '@/lib/pipeline/1-stream/strip-forged';

function read(text: string) {
  const filter = createForgeryFilter();
  const first = filter.push(text);
  const last = filter.end();
  return { visible: first.visible + last.visible, notice: first.notice || last.notice };
}

describe('a code fence', () => {
  it.each([
    '```tool_call\n{}\n```',
    'x\n```tool_code\nrun()\n```',
    '~~~ function_call\n{}\n~~~',
    '  ```` TOOL_CALL {#a}\n',
    '> ```tool_call\n',
    '```tool_call',
    '```tool_call some words\n{}\n```',
    '~~~tool_call `x`\n',
  ])('that is tagged as a call stays visible and raises the notice: %j', (text) => {
    expect(read(text)).toEqual({ visible: text, notice: true });
  });

  it.each([
    '```ts\ntool_call\n```',
    '``tool_call\n',
    'see ```tool_call\n',
    '```tool_calls\n',
    '```my_tool_call\n',
    'tool_call\n```\n',
    '```tool_call `x`\n',
    '```tool_call{}```',
    '```tool_call``` is a tag',
  ])('of another kind raises none: %j', (text) => {
    expect(read(text)).toEqual({ visible: text, notice: false });
  });
});
