import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { utf8Length } from '@/lib/shared/bytes';
import { retrieveToolResult } from '@/lib/tools/results/retrieve-tool-result';
import { updatePlan } from '@/lib/tools/session/update-plan';
import { execShell } from '@/lib/tools/shell/exec-shell';
import { spill } from '@/test/contract/store/stores-contract';
import { createMemoryContext, runTool } from '@/test/support/memory-context';

describe('exec_shell', () => {
  const shell = (exitCode: number, output: string) => createMemoryContext({ run: () => ({ exitCode, output, producedBytes: utf8Length(output) }) });

  it('gives back the output alone when all went well', async () => {
    const world = shell(0, 'hi\n');
    expect(await runTool(execShell, { command: 'echo hi', cwd: './src/', stdin: 'in' }, world.context)).toEqual({
      ok: true,
      content: 'hi\n',
      data: { exitCode: 0, producedBytes: 3, keptBytes: 3 },
      metadata: { exitCode: 0, producedBytes: 3 },
    });
    expect(world.commands).toEqual([{ command: 'echo hi', cwd: 'src', stdin: 'in' }]);
    expect((await runTool(execShell, { command: 'true' }, shell(0, '').context)).content).toBe('(no output, exit code 0)');
  });

  it('names another exit code at the end, where the cut leaves it', async () => {
    expect(await runTool(execShell, { command: 'npm test' }, shell(1, '1 failed').context)).toMatchObject({
      ok: false,
      error: 'execution-failed',
      content: '1 failed\n[exit code 1]',
    });
    expect((await runTool(execShell, { command: 'nope' }, shell(127, '').context)).content).toBe('(no output)\n[exit code 127: command not found]');
  });

  it('refuses an empty command and a folder outside, and takes its time from the call', async () => {
    await expect(runTool(execShell, { command: ' \n' }, shell(0, '').context)).rejects.toMatchObject({ code: 'invalid-input' });
    await expect(runTool(execShell, { command: 'ls', cwd: '../..' }, shell(0, '').context)).rejects.toMatchObject({ code: 'path-escape' });
    const input = execShell.input.parse({ command: 'a\nb' });
    expect([
      execShell.timeoutMsFor?.(input),
      execShell.timeoutMsFor?.(execShell.input.parse({ command: 'a', timeout_ms: 5 })),
      execShell.summarize?.(input),
    ]).toEqual([120_000, 5, 'a b']);
  });
});

describe('update_plan', () => {
  it('shows the plan to the person and says where it stands', async () => {
    const world = createMemoryContext();
    const plan = [
      { step: 'Read', status: 'completed' },
      { step: 'Fix', status: 'in_progress' },
      { step: 'Test', status: 'pending' },
    ];
    expect(await runTool(updatePlan, { plan, explanation: 'began' }, world.context)).toEqual({
      ok: true,
      content: 'The person sees the plan: 1 of 3 steps done, now: Fix.',
      data: { steps: 3, done: 1 },
    });
    expect(world.plans).toEqual([
      {
        steps: [
          { step: 'Read', status: 'done' },
          { step: 'Fix', status: 'in-progress' },
          { step: 'Test', status: 'pending' },
        ],
        explanation: 'began',
      },
    ]);
    await expect(runTool(updatePlan, { plan: plan.map((item) => ({ ...item, status: 'in_progress' })) }, world.context)).rejects.toMatchObject({
      code: 'invalid-input',
    });
  });
});

describe('retrieve_tool_result', () => {
  const log = Array.from({ length: 500 }, (_, index) => (index === 249 ? 'FAIL src/a.test.ts > adds' : `ok ${index + 1}`)).join('\n');
  const retrieve = async (input: Record<string, unknown>, text = log) =>
    (await runTool(retrieveToolResult, { ref: 'r1', ...input }, createMemoryContext({ spills: [spill('r1', text)] }).context)).content;

  it('sums up: size, both ends, and the lines in between that tell of trouble', async () => {
    const lines = (await retrieve({})).split('\n');
    expect(lines).toEqual([
      '[Summary; exec_shell result r1, 500 lines, 3.3 KB in all]',
      ...Array.from({ length: 10 }, (_, index) => `${index + 1}\tok ${index + 1}`),
      '… in between, 1 line that may tell of trouble:',
      '250\tFAIL src/a.test.ts > adds',
      '…',
      ...Array.from({ length: 10 }, (_, index) => `${index + 491}\tok ${index + 491}`),
      '[mode lines, query, head or tail shows more]',
    ]);
  });

  it('finds lines by text, with the lines around them', async () => {
    expect(await retrieve({ query: 'fail', context_lines: 1 })).toBe(
      '[1 line with "fail"; exec_shell result r1, 500 lines, 3.3 KB in all]\n249\tok 249\n250\tFAIL src/a.test.ts > adds\n251\tok 251',
    );
    expect(await retrieve({ query: 'ok 4', max_matches: 1, context_lines: 0 })).toBe(
      '[111 lines with "ok 4"; exec_shell result r1, 500 lines, 3.3 KB in all]\n4\tok 4\n[110 more not shown, the next at line 40: raise max_matches or max_bytes, or use a longer query]',
    );
    expect(await retrieve({ query: '(.*' })).toContain('No line contains "(.*". Try a shorter text, or mode=summary.');
    expect(await retrieve({ query: 'needle' }, `${'x'.repeat(50_000)}needle${'y'.repeat(50_000)}`)).toContain(
      `…${'x'.repeat(300)}needle${'y'.repeat(300)}… [line of 97.7 KB, match at column 50001; lines="1+49700" shows more]`,
    );
  });

  it('gives the lines asked for, and how to go on when they are too many', async () => {
    expect(await retrieve({ lines: '249-250' })).toBe(
      '[Lines 249-250; exec_shell result r1, 500 lines, 3.3 KB in all]\n249\tok 249\n250\tFAIL src/a.test.ts > adds',
    );
    expect(await retrieve({ mode: 'lines', lines: '490-9999' })).toContain('[Lines 490-500;');
    expect(await retrieve({ lines: '1-500', max_bytes: 200 })).toMatch(/\n\[max_bytes reached: lines="\d+-500" goes on\]$/);
    await expect(retrieve({ lines: '501' })).rejects.toMatchObject({
      code: 'invalid-input',
      message: 'The stored text has 500 lines; line 501 is past its end. Send lines between 1 and 500.',
    });
  });

  it('gives beginning and end in whole lines', async () => {
    expect(await retrieve({ mode: 'head', max_bytes: 200 })).toMatch(
      /^\[First \d+ bytes; .*\]\nok 1\n[\s\S]*\nok \d+\n\n\[3\.1 KB follow: mode=lines lines="\d+-500" goes on\]$/,
    );
    expect(await retrieve({ mode: 'tail', max_bytes: 200 })).toMatch(
      /^\[Last \d+ bytes; .*\]\nok \d+\n[\s\S]*\nok 500\n\[3\.1 KB come before: mode=lines lines="1-\d+"\]$/,
    );
    expect(await retrieve({ mode: 'head' }, 'short')).toBe('[All of it; exec_shell result r1, 1 line, 5 bytes in all]\nshort');
  });

  it('reaches every byte of a single line by the calls that it names itself, and calls no part of it all', async () => {
    const long = Array.from({ length: 9_000 }, (_, index) => `é${index}😀`).join(',');
    const answer = await retrieve({}, long);
    expect(answer).toMatch(/^\[Lines 1-1; /);
    let read = '';
    let next: string | undefined = '1';
    while (next !== undefined) {
      const [, , shown = ''] = /^\[Line.*\]\n(1\t)(.*)$/s.exec(await retrieve({ lines: next, max_bytes: 30_000 }, long)) ?? [];
      const cut: RegExpExecArray | null = /… \[line cut: [\d.]+ KB; goes on with lines="(1\+\d+)"\]$/.exec(shown);
      read += cut === null ? shown : shown.slice(0, cut.index);
      next = cut?.[1];
    }
    expect(read).toBe(long);
    await expect(retrieve({ lines: '1+999999' }, long)).rejects.toThrow('is past its end. Send lines="1"');
  });

  it('goes on inside a line that the beginning, the end or the first of several lines cut', async () => {
    const long = `${'a'.repeat(5_000)}\nshort\n${'z'.repeat(5_000)}`;
    expect(await retrieve({ mode: 'head', max_bytes: 200 }, long)).toMatch(
      /^\[First 200 bytes; .*\]\na{200}\n\[9\.6 KB follow: mode=lines lines="1\+200", and then lines="2-3", goes on\]$/,
    );
    expect(await retrieve({ mode: 'tail', max_bytes: 200 }, long)).toMatch(
      /\nz{200}\n\[9\.6 KB come before: mode=lines lines="1-2", and lines="3" for the beginning of the line that is cut here\]$/,
    );
    expect(await retrieve({ lines: '1-3', max_bytes: 300 }, long)).toMatch(
      /\n1\ta{188}… \[line cut: 4\.9 KB; goes on with lines="1\+188"\]\n2\tshort\n\[max_bytes reached: lines="3-3" goes on\]$/,
    );
    expect(await retrieve({}, long)).toMatch(/^\[Lines 1-3; .*\n1\ta{1900}… \[line cut: 4\.9 KB; goes on with lines="1\+1900"\]\n2\tshort\n3\tz{1900}… /s);
    expect(await retrieve({}, 'a\nb')).toMatch(/^\[All of it; /);
  });

  it('gives the matching lines their room before the lines around them', async () => {
    const text = `${'a'.repeat(1_900)}\n${'b'.repeat(1_900)}\nNEEDLE here\nafter\n${'c'.repeat(1_900)}`;
    expect(await retrieve({ query: 'needle', max_bytes: 1_000 }, text)).toBe(
      '[1 line with "needle"; exec_shell result r1, 5 lines, 5.6 KB in all]\n3\tNEEDLE here\n[max_bytes left out lines around the matches]',
    );
    expect(await retrieve({ query: 'needle', max_bytes: 2_000 }, text)).toContain(`\n2\t${'b'.repeat(1_900)}\n3\tNEEDLE here\n4\tafter\n[max_bytes`);
    const twice = `NEEDLE one\n${'a'.repeat(180)}\n\n\n\n\nNEEDLE two`;
    expect(await retrieve({ query: 'needle', max_bytes: 200, context_lines: 1 }, twice)).toMatch(/\n1\tNEEDLE one\n--\n7\tNEEDLE two\n\[max_bytes left out/);
  });

  it('shows the match itself of a long line, also behind letters whose small form is longer', async () => {
    const line = `${'İ'.repeat(700)}NEEDLE${'x'.repeat(3_000)}`;
    for (const max_bytes of [200, 1_000, 12_000]) {
      const answer = await retrieve({ query: 'needle', max_bytes }, line);
      expect(answer).toContain('İNEEDLEx');
      expect(answer).toContain(', match at column 701; lines="1+');
      expect(utf8Length(answer)).toBeLessThanOrEqual(max_bytes + 100);
    }
    expect(await retrieve({ query: 'needle' }, `${'😀'.repeat(999)}x${'😀'.repeat(999)}NEEDLE`)).not.toMatch(/\p{Surrogate}/u);
  });

  it('says what was looked for and nothing else when the id is unknown', async () => {
    const { context } = createMemoryContext({ spills: [spill('secret-id-1', 'contents of secret-id-1')] });
    const error = await runTool(retrieveToolResult, { ref: 'nope-42' }, context).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: 'not-available',
      message:
        'No stored result has the id "nope-42". Copy the id from the shortened result exactly; results are kept for 7 days. If it is gone, run the tool again.',
    });
  });

  it('takes an id with the words that models leave around it', async () => {
    for (const ref of ['ref=r1', '"r1"', '`r1`.', ' r1 ']) expect(await retrieve({ ref, lines: '1' })).toContain('1\tok 1');
  });

  it('hands on where the bytes came from', async () => {
    const { context } = createMemoryContext({ spills: [{ ...spill('r1', 'x'), origin: 'example.com' }] });
    expect((await runTool(retrieveToolResult, { ref: 'r1' }, context)).metadata).toEqual({ origin: 'example.com' });
  });

  it('asks for the field that its mode needs', () => {
    const check = (input: unknown) => retrieveToolResult.validateInput?.(retrieveToolResult.input.parse(input) as never)?.kind;
    expect([
      check({ ref: 'r', mode: 'query' }),
      check({ ref: 'r', mode: 'lines' }),
      check({ ref: 'r', lines: '9-3' }),
      check({ ref: 'r', lines: '3+9-12' }),
      check({ ref: 'r', lines: '3' }),
      check({ ref: 'r', lines: '3+900' }),
    ]).toEqual(['missing-field', 'missing-field', 'invalid-input', 'invalid-input', undefined, undefined]);
  });

  it('stays within max_bytes in every mode, whatever the text', async () => {
    const modes = fc.constantFrom({ mode: 'summary' }, { mode: 'head' }, { mode: 'tail' }, { lines: '1-100000' }, { lines: '1+0' }, { query: 'a' });
    const text = fc
      .array(
        fc.oneof(
          fc.string({ unit: 'binary', maxLength: 40 }),
          fc.nat(9000).map((size) => 'aé😀'.repeat(size / 3)),
        ),
        { maxLength: 60 },
      )
      .map((parts) => parts.join('\n'));
    await fc.assert(
      fc.asyncProperty(modes, text, fc.integer({ min: 200, max: 30_000 }), async (mode, stored, max_bytes) => {
        expect(utf8Length(await retrieve({ ...mode, max_bytes }, stored))).toBeLessThanOrEqual(max_bytes + 600);
      }),
      { numRuns: 200 },
    );
  });
});
