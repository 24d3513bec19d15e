import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { repairArguments } from '@/lib/pipeline/2-plan/repair-arguments';

/** Which units stand inside a string, and whether the text ends in one. */
function strings(text: string) {
  const inside: boolean[] = [];
  let open = false;
  let escaped = false;
  for (const unit of text.split('')) {
    inside.push(open && (unit !== '"' || escaped));
    if (!open) open = unit === '"';
    else if (escaped) escaped = false;
    else if (unit === '\\') escaped = true;
    else if (unit === '"') open = false;
  }
  return { inside, endsInside: open };
}

const parse = (text: string): { value: unknown } | undefined => {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
};

function escapeControls(text: string): string {
  const { inside } = strings(text);
  const names: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };
  let escaped = false;
  return text
    .split('')
    .map((unit, at) => {
      const isControl = inside[at] && unit < ' ';
      const out = isControl && !escaped ? (names[unit] ?? '') : unit;
      if (!isControl || escaped) escaped = inside[at] === true && unit === '\\' && !escaped;
      return out;
    })
    .join('');
}

function dropTrailingCommas(text: string): string {
  const { inside } = strings(text);
  for (let i = 0; i < text.length; i++) {
    if (text[i] !== ',' || inside[i]) continue;
    const rest = text.slice(i + 1).replace(/^[ \t\n\r]+/, '');
    if (rest === '') return dropTrailingCommas(text.slice(0, i));
    if (/^[}\]]/.test(rest)) return dropTrailingCommas(text.slice(0, i) + text.slice(i + 1));
  }
  return text;
}

function brackets(text: string) {
  const { inside } = strings(text);
  const open: string[] = [];
  const surplus = new Set<number>();
  let crossed = false;
  text.split('').forEach((unit, at) => {
    if (inside[at] || crossed) return;
    if (unit === '{' || unit === '[') open.push(unit === '{' ? '}' : ']');
    else if (unit === '}' || unit === ']') {
      if (!open.includes(unit)) surplus.add(at);
      else if (open.at(-1) === unit) open.pop();
      else crossed = true;
    }
  });
  return { missing: open.reverse().join(''), surplus, crossed };
}

/** The contract of kind `arg-repair`, rung by rung, with a parse after each. */
function climb(text: string): { rung: string; value: unknown } {
  const strict = parse(text);
  if (strict !== undefined) return { rung: 'strict', ...strict };
  const fallback = { rung: 'fallback', value: {} };
  if (strings(text).endsInside || /(?:^|[^\w.+-])-?[0-9][0-9.eE+-]*$|(?:^|[^\w.+-])-$/.test(text)) return fallback;
  const plain = escapeControls(text);
  const light = dropTrailingCommas(plain);
  const { missing, surplus, crossed } = brackets(light);
  const rungs: [string, string][] = [
    ['control_chars', plain],
    ['trailing_commas', light],
  ];
  if (!crossed) {
    const closed = light + missing;
    rungs.push(
      ['close_brackets', closed],
      [
        'strip_closers',
        closed
          .split('')
          .filter((_, at) => !surplus.has(at))
          .join(''),
      ],
    );
  }
  for (const [rung, mended] of rungs) {
    const parsed = parse(mended);
    if (parsed !== undefined) return { rung, ...parsed };
  }
  return fallback;
}

const piece = fc.constantFrom(
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '"',
  '\\',
  '\n',
  '\t',
  '\u0007',
  ' ',
  '\u00a0',
  '1',
  '-2.5e',
  'true',
  '"a"',
  '"k":',
  '"k":1',
  ',}',
  '\\"',
  '{"a":"b"',
  '[1,2',
  '"x\ny"',
  '["\u0001",',
  '"\\\n"',
  ', ]',
  '"\\\\\n"',
);
const rubble = fc.array(piece, { maxLength: 10 }).map((parts) => parts.join(''));
const nearly = fc
  .tuple(fc.array(piece, { maxLength: 2 }), fc.jsonValue({ maxDepth: 2 }), fc.array(piece, { maxLength: 2 }), fc.nat())
  .map(([before, json, after, at]) => {
    const text = JSON.stringify(json, null, 1);
    const cut = at % (text.length + 1);
    return before.join('') + text.slice(0, cut) + after.join('') + text.slice(cut);
  });

describe('argument repair', () => {
  it.each([
    ['rubble', rubble],
    ['text with a thing too many', nearly],
  ])('agrees with the contract read rung by rung: %s', (_, texts) => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(repairArguments(text, 'repair')).toEqual({ ok: true, ...climb(text) });
      }),
      { numRuns: 4_000 },
    );
  });
});
