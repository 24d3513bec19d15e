import { describe, expect, it } from 'vitest';
import { readCommand } from '@/lib/shell/parts';
import { filesWrittenBySed } from '@/lib/shell/sed-script';
import { writtenWords } from '@/lib/shell/written-words';

const written = (command: string) => writtenWords(readCommand(command).parts[0]?.words ?? []).map((word) => word.value);

describe('what a program writes, by its words,', () => {
  it('is all of them for one that changes what it names', () => {
    expect(['cp a b', 'touch a', 'mkdir -p a/b', 'gzip -9 a', 'unzip a.zip -d b', 'tar xf a.tar -C b', 'patch a p', 'cat a', 'vim a'].map(written)).toEqual([
      ['a', 'b'],
      ['a'],
      ['-p', 'a/b'],
      ['-9', 'a'],
      ['a.zip', '-d', 'b'],
      ['xf', 'a.tar', '-C', 'b'],
      ['a', 'p'],
      [],
      ['a'],
    ]);
  });

  it('is nothing where an option makes it read only', () => {
    const reading = ['gzip -l a', 'gzip -dc a', 'xz --test a', 'tar tf a', 'tar -tvf a', 'tar --list --file=a', 'unzip -l a', 'unzip -p a b'];
    expect(reading.filter((command) => written(command).length > 0)).toEqual([]);
    expect(['tar txf a', 'tar -t --to-command=x -f a', 'gzip -k a', 'unzip -o a'].filter((command) => written(command).length === 0)).toEqual([]);
  });

  it('leaves out the operand that it reads', () => {
    expect(
      ['uniq -c a b', 'uniq -f 1 a b', 'uniq a', 'split -l 5 a b', 'xxd -l 16 a', 'xxd -r a b', 'csplit -f b a 1', 'zip -r a.zip b', 'zip -m a.zip b'].map(
        written,
      ),
    ).toEqual([['-c', 'b'], ['-f', '1', 'b'], [], ['-l', '5', 'b'], ['-l', '16'], ['-r', 'b'], ['-f', 'b', '1'], ['a.zip'], ['-m', 'a.zip', 'b']]);
  });

  it('is what a script for sed says, and its files where it edits in place', () => {
    expect([
      written("sed -n '/show x/p' a"),
      written("sed 's/new /x/' a"),
      written("sed -n -e p -e 'w b' a"),
      written("sed -ne 'w b' a"),
      written("sed --expression='s/a/b/w b' a"),
      written("sed -l 5 'w b' a"),
      written('sed -i s/x/y/ a'),
      written('sed p w/b'),
    ]).toEqual([[], [], ['b'], ['b'], ['b'], ['b'], ['-i', 's/x/y/', 'a'], []]);
  });
});

describe('a script for sed', () => {
  it('writes what stands behind its w, to the end of the line', () => {
    const scripts = [
      'w a',
      '/x/w a b',
      '1,$!{ w a\n}',
      's/w x/y/gw a',
      's,a,b,Iw a',
      '\\cwcw a',
      'y/abc/xyz/;w a',
      '/a/I,+3W a',
      '$w a;p',
      's/[/]/w b/w a',
      's/\\/w b/x/w a',
      'i\\\nw b\nw a',
      '# w b\nw a',
      'b end\nw a',
    ];
    expect(scripts.map((script) => filesWrittenBySed(script).includes('a'))).toEqual(scripts.map(() => true));
    expect(filesWrittenBySed('w a b;c')).toEqual(['a b;c', 'a']);
  });

  it('writes nothing by a w in a pattern, a text, a label or a comment', () => {
    const scripts = ['/w a/p', 's/w a/b/g', 's/a/w b/', 'y/w a/123/', 'a\\\nw b', 'a w b', 'r w b', ':w a', 'bw', '# w a', '\\|w a|d', '1,/w a/d', '10q;l 5'];
    expect(scripts.flatMap((script) => filesWrittenBySed(script).map((file) => `${script} → ${file}`))).toEqual([]);
  });

  it('that cannot be read may write whatever stands behind any w', () => {
    expect(filesWrittenBySed('k;w a')).toEqual(['a']);
  });
});
