import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ShellPolicy } from '@/lib/contracts/policy';
import { judgeCommand } from '@/lib/policy/shell-verdict';

const runs = { numRuns: 1_500 };
const permissive: ShellPolicy = { allow: ['*'], ask: [], deny: ['rm *'], default: 'allow' };

const token = fc.constantFrom(
  ...[
    'rm',
    'ls',
    'sh',
    'bash -c',
    'eval',
    'env',
    'xargs',
    'find -exec',
    'x=1',
    '-c',
    '--',
    '-',
    'a',
    '$x',
    '${x',
    '${x:-',
    '}',
    '$(',
    ')',
    '$((',
    '))',
    '`',
    "'",
    '"',
    "$'",
    '\\',
    ';',
    '&&',
    '||',
    '|',
    '&',
    '\n',
    '(',
    '{ ',
    '; }',
  ],
  ...[
    'if',
    'then',
    'fi',
    'for',
    'in',
    'do',
    'done',
    'case',
    'esac',
    ';;',
    '[[',
    ']]',
    '((',
    '<<E',
    '\nE\n',
    '<<<',
    '<(',
    '>',
    '2>&1',
    '>&3',
    '{fd}>',
    '*',
    '{a,b}',
    '~',
    '#',
    '\t',
    ' ',
    '\0',
    '\u200b',
    'é',
    '\ud800',
    '.git/x',
    '=',
  ],
);
const soup = fc.array(fc.tuple(token, fc.constantFrom('', ' ')), { maxLength: 40 }).map((pieces) => pieces.flat().join(''));

describe('any text at all', () => {
  it('is judged without an exception, part by part, inside its own bounds', () => {
    fc.assert(
      fc.property(fc.oneof(soup, fc.string({ unit: 'binary', maxLength: 80 })), fc.constantFrom('ask', 'auto', 'plan'), (command, mode) => {
        const { decision, parts, reading } = judgeCommand(command, permissive, mode);
        expect(['allow', 'ask', 'deny']).toContain(decision);
        expect(reading.parts.length).toBeGreaterThan(0);
        for (const part of parts) expect([part.from >= 0, part.from <= part.to, part.to <= command.length]).toEqual([true, true, true]);
      }),
      runs,
    );
  });

  it('gets the same verdict every time, and in auto mode no less than its deny rules', () => {
    fc.assert(
      fc.property(soup, (command) => {
        const once = judgeCommand(command, permissive, 'ask').decision;
        expect(judgeCommand(command, permissive, 'ask').decision).toBe(once);
        expect(judgeCommand(command, permissive, 'auto').decision === 'deny').toBe(once === 'deny');
      }),
      runs,
    );
  });
});

const single = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
const double = (text: string) => `"${text.replace(/[\\"$`]/g, '\\$&')}"`;
const ticks = (text: string) => `\`${text.replace(/[\\`$]/g, '\\$&')}\``;

/** Spellings of rm. */
const spelled = fc.constantFrom(
  'rm -rf x',
  "r'm' x",
  '\\rm x',
  "$'\\x72m' x",
  '"rm" "$x"',
  'rm',
  'r\\\nm x',
  '/bin/rm x',
  'A=1 rm x',
  'rm "a b" > /dev/null 2>&1',
  'rm\tx',
);

/** Ways to have a simple command run by another one. */
const prefixes = fc.constantFrom(
  'env ',
  'env -i A=1 ',
  'sudo -u root ',
  'nice -n 5 ',
  'nohup ',
  'timeout -k 1 5 ',
  'xargs -n1 ',
  'command ',
  'builtin ',
  'exec ',
  'time ',
  'stdbuf -o L ',
  'setsid ',
  'busybox ',
  'chroot / ',
  'flock x.lock ',
  'find . -exec ',
  'eval ',
  'watch -n 1 ',
  'parallel -j 2 ',
  'sudo --unknown ',
  'sudo --unknown value ',
  '! ',
  'if true; then :; else ',
);
const suffixOf: Readonly<Record<string, string>> = { 'find . -exec ': ' {} +', 'if true; then :; else ': '\nfi', 'parallel -j 2 ': ' ::: a b' };

/** Ways to put any command inside another; each here-document has a mark of its own. */
const around: readonly ((command: string) => string)[] = [
  (c) => `true; ${c}`,
  (c) => `${c}\ntrue`,
  (c) => `true && ${c}`,
  (c) => `false || ${c}`,
  (c) => (c.includes('\n') ? `{ ${c}\n} | cat` : `${c} | cat`),
  (c) => (c.startsWith('!') ? `cat x | { ${c}\n}` : `cat x | ${c}`),
  (c) => `( ${c}\n)`,
  (c) => `{ ${c}\n} > out.txt`,
  (c) => `if ${c}\nthen :; fi`,
  (c) => `while ${c}\ndo :; done`,
  (c) => `for i in 1; do ${c}\ndone`,
  (c) => `for i in $( ${c}\n); do :; done`,
  (c) => `case x in x) ${c}\n;; esac`,
  (c) => `f() { ${c}\n}; f`,
  (c) => `coproc { ${c}\n}`,
  (c) => `echo $( ${c}\n)`,
  (c) => `echo "$( ${c}\n)"`,
  (c) => `echo ${ticks(c)}`,
  (c) => `cat <( ${c}\n)`,
  (c) => `echo > >( ${c}\n)`,
  (c) => `cat <<E${c.length}\n$( ${c}\n)\nE${c.length}\n`,
  (c) => `cat <<< "$( ${c}\n)"`,
  (c) => `echo \${x:-$( ${c}\n)}`,
  (c) => `echo "\${x:$( ${c}\n)}"`,
  (c) => `echo $(( $( ${c}\n) + 1 ))`,
  (c) => `(( $( ${c}\n) ))`,
  (c) => `[[ -n $( ${c}\n) ]]`,
  (c) => `x=$( ${c}\n) ls`,
  (c) => `a=( $( ${c}\n) )`,
  (c) => `a[$( ${c}\n)]=1`,
  (c) => `echo {a,$( ${c}\n)}`,
  (c) => `echo > "$( ${c}\n)"`,
  (c) => `sh -c ${single(c)}`,
  (c) => `bash -ec ${double(c)}`,
  (c) => `bash -o vi -c ${single(c)} name`,
  (c) => `eval ${single(c)}`,
  (c) => `trap ${single(c)} EXIT`,
  (c) => `bash <<'S${c.length}'\n${c}\nS${c.length}\n`,
  (c) => `sh <<< ${single(c)}`,
  (c) => `{ bash; } <<< ${single(c)}`,
  (c) => `find . -exec sh -c ${single(c)} \\;`,
  (c) => `script -qc ${single(c)} /dev/null`,
  (c) => `su - user -c ${single(c)}`,
];

const wrapped = fc
  .tuple(spelled, fc.array(prefixes, { maxLength: 3 }), fc.array(fc.constantFrom(...around), { maxLength: 4 }))
  .map(([command, before, outside]) => {
    // A keyword is one only at the beginning of a command; an assignment in front belongs to the shell.
    const plain = before.filter((prefix) => !/^(time|!|if) /.test(prefix));
    const inner = (plain.length > 0 ? command.replace(/^A=1 /, '') : command).trim();
    const simple = plain.reduce((text, prefix) => `${prefix}${text}${suffixOf[prefix] ?? ''}`, inner);
    const keyword = before.find((prefix) => /^(time|!|if) /.test(prefix)) ?? '';
    return outside.reduce((text, wrap) => wrap(text), `${keyword}${simple}${suffixOf[keyword] ?? ''}`);
  })
  .filter((command) => command.length <= 10_000);

describe('a deny rule', () => {
  it('is never lost by wrapping, quoting or nesting the command that it denies', () => {
    fc.assert(
      fc.property(wrapped, (command) => {
        expect([command, judgeCommand(command, permissive, 'ask').decision, judgeCommand(command, permissive, 'auto').decision]).toEqual([
          command,
          'deny',
          'deny',
        ]);
      }),
      runs,
    );
  });

  it('leaves nothing that an allow rule of other commands would let through', () => {
    const reading: ShellPolicy = { allow: ['ls *', 'cat *', 'echo *', 'true', ':'], ask: [], deny: [], default: 'ask' };
    fc.assert(
      fc.property(wrapped, (command) => {
        expect([command, judgeCommand(command, reading, 'ask').decision]).toEqual([command, 'ask']);
      }),
      runs,
    );
  });
});

describe('a hostile command', () => {
  const fill = (unit: string) => unit.repeat(Math.floor(9_990 / unit.length));
  const units = [
    'sudo -a ',
    'env ',
    'eval ',
    'true;',
    '$(',
    '`a` ',
    '(',
    '{',
    'a|',
    'find -exec ',
    'env -S "a b" ',
    'sh -c ',
    '-x ',
    'parallel ',
    'script -c ',
    'xargs -x ',
    'timeout -z ',
    '>a ',
    '\\',
    '*a',
    '{a,b}',
    "'a'",
    '<<A\n',
    '$((',
    '[[ ',
    'x=(',
    '${x:-',
  ];

  // A guard against work that grows with a power of the length, not a measurement.
  for (const unit of units)
    it(`of ${JSON.stringify(unit)} again and again is judged at once`, () => {
      const startedAt = performance.now();
      for (const before of ['', 'touch ', 'sudo ', 'git ']) judgeCommand(before + fill(unit), permissive, 'auto');
      expect(performance.now() - startedAt).toBeLessThan(10_000);
    });

  it('costs no more than milliseconds where it is an ordinary one', () => {
    const ordinary = ['npm test', 'git log --oneline | head -5', 'cd app && npm run build && git status', "find . -name '*.ts' -exec grep -l foo {} +"];
    const took = Array.from({ length: 200 }, (_, index) => {
      const startedAt = performance.now();
      judgeCommand(ordinary[index % ordinary.length] as string, permissive, 'auto');
      return performance.now() - startedAt;
    }).sort((a, b) => a - b);
    expect(took[100]).toBeLessThan(5);
  });
});
