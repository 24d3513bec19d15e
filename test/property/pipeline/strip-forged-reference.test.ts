import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createForgeryFilter } from '@/lib/pipeline/1-stream/strip-forged';

const NAME = '(?:tool_calls|tool_call|invoke|function_calls|function_call)';
const NAMESPACE = '[\\p{L}_][\\p{L}\\p{Nd}_.-]*';
const OPENERS = [
  /\[TOOL_CALL\](?!\()/iy,
  new RegExp(`<(?:(${NAMESPACE}):)?(${NAME})(?=[\\s>/])`, 'iuy'),
  new RegExp(`<([|｜])DSML\\1(${NAME})(?=[\\s>/])`, 'iuy'),
  /<([|｜])tool([▁_])(calls|call|outputs|output)\2begin\1>/iy,
];

const quoted = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

function closerOf(shape: number, [, one = '', two = '', three = '']: RegExpExecArray): RegExp {
  if (shape === 0) return /\[\/TOOL_CALL\]/gi;
  if (shape === 1) return new RegExp(`</${one === '' ? '' : `${quoted(one)}:`}${two}\\s*>`, 'gi');
  if (shape === 2) return new RegExp(`</${quoted(one)}DSML${quoted(one)}${two}\\s*>`, 'gi');
  return new RegExp(`<${quoted(one)}tool${two}${three}${two}end${quoted(one)}>`, 'gi');
}

function openerAt(text: string, at: number) {
  for (const [shape, pattern] of OPENERS.entries()) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match !== null) return { shape, match };
  }
  return undefined;
}

/** The contract of kind `forgery`, read word by word over the whole text, with no care for cost or cuts. */
function readWhole(text: string) {
  let visible = '';
  let notice = false;
  for (let i = 0; i < text.length; ) {
    const opener = openerAt(text, i);
    if (opener === undefined) {
      visible += text[i++];
      continue;
    }
    const { shape, match } = opener;
    let end = i + match[0].length;
    if (shape === 1 || shape === 2) end = text.indexOf('>', end) + 1;
    if (end > 0 && text[i - 1] === '`' && text[i - 2] !== '`' && text[end] === '`' && text[end + 1] !== '`') {
      visible += text.slice(i, end);
      i = end;
      continue;
    }
    notice = true;
    if (end === 0) return { visible, notice, insideAtEnd: true };
    if ((shape === 1 || shape === 2) && text[end - 2] === '/') {
      i = end;
      continue;
    }
    const closer = closerOf(shape, match);
    closer.lastIndex = end;
    const closed = closer.exec(text);
    if (closed === null) return { visible, notice, insideAtEnd: true };
    i = closed.index + closed[0].length;
  }
  return { visible, notice, insideAtEnd: false };
}

const pieces =
  '< > / [ ] ( ` `` : | ｜ ▁ _ a é tool_call TOOL_CALLS invoke function_call DSML tool calls begin end [TOOL_CALL] [/TOOL_CALL] <tool_call> </tool_call> </NS:invoke> <invoke/> `<invoke>` `<invoke/>` `[tool_call]` </｜DSML｜invoke> <|tool_calls_begin|> <|tool_calls_end|> `<｜tool▁call▁begin｜>` `<｜tool▁call▁begin｜>`` <｜tool▁call▁end｜>'.split(
    ' ',
  );
const speech = fc
  .array(fc.constantFrom(' ', '<ns:invoke a="1">', '<｜DSML｜invoke x>', '</tool_call >', ...pieces), { maxLength: 16 })
  .map((parts) => parts.join(''));

describe('forgery stripping', () => {
  it('agrees with the contract read over the whole text', () => {
    fc.assert(
      fc.property(speech, (text) => {
        // A fence tagged as a call raises the notice too; it has facts of its own.
        fc.pre(!/`{3,}[ \t]*(?:tool_call|function_call)/i.test(text));
        const filter = createForgeryFilter();
        const first = filter.push(text);
        const last = filter.end();
        expect({ visible: first.visible + last.visible, notice: first.notice || last.notice, insideAtEnd: last.insideAtEnd }).toEqual(readWhole(text));
      }),
      { numRuns: 5_000 },
    );
  });
});
