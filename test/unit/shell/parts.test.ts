/* biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text, not a template. */
import { describe, expect, it } from 'vitest';
import { readCommand } from '@/lib/shell/parts';

const texts = (command: string) => readCommand(command).parts.map((part) => `${part.sure ? '' : 'maybe '}${part.kind} ${part.text}`);
const words = (command: string) => readCommand(command).parts.map((part) => part.words.map((word) => word.value));

describe('the parts of a command', () => {
  it('are found at every depth of lists, pipes and compounds', () => {
    expect(
      texts(
        'a; b && c || d | e & ( f ); { g; }; if h; then i; elif j; then k; else l; fi; while m; do n; done; for x in 1; do o; done; case y in z) p;; esac; q() { r; }; coproc s',
      ),
    ).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm', 'n', 'o', 'p', 'r', 's'].map((name) => `command ${name}`));
  });

  it('are found wherever the shell runs a substitution', () => {
    const places = [
      'echo $(x)',
      'echo "`x`"',
      'echo > $(x)',
      'echo ${a:-$(x)}',
      'echo ${a/$(x)/b}',
      'echo ${a:$(x)}',
      'echo ${a[$(x)]}',
      'echo $(( $(x) ))',
      'echo $[ $(x) ]',
      '(( $(x) ))',
      'for ((;$(x);)); do :; done',
      '[[ $(x) ]]',
      'a[$(x)]=1',
      'a=($(x))',
      'cat <<E\n$(x)\nE',
      'cat <(x)',
      'echo {a,$(x)}',
      'case $(x) in a) ;; esac',
      'for i in $(x); do :; done',
      'cat <<< $(x)',
    ];
    expect(places.filter((place) => !texts(place).includes('command x'))).toEqual([]);
  });

  it('leave quoted text alone', () => {
    expect([texts('echo \'$(x)\' \\$\\(y\\) "\\`z\\`"'), texts("cat <<'E'\n$(x)\nE")]).toEqual([
      ['command echo \'$(x)\' \\$\\(y\\) "\\`z\\`"'],
      ["command cat <<'E'"],
    ]);
  });

  it('hold what wrappers, shells and find run', () => {
    expect(texts("sudo -u me nice sh -c 'a; b' | xargs -n 2 c")).toEqual([
      "command sudo -u me nice sh -c 'a; b'",
      "command nice sh -c 'a; b'",
      "command sh -c 'a; b'",
      'command a',
      'command b',
      'command xargs -n 2 c',
      'command c',
    ]);
    expect(texts('find . -exec a {} + -ok b {} \\; -name c')).toEqual(['command find . -exec a {} + -ok b {} \\; -name c', 'command a {}', 'command b {}']);
    expect(texts('bash <<E\na\nE')).toEqual(['command bash <<E', 'command a']);
    expect(texts('timeout 5 a')).toEqual(['command timeout 5 a', 'command a']);
    expect(texts('time -p a b | c')).toEqual(['command time -p a b', 'command a b', 'command c']);
  });

  it('hold every reading of options that no table knows', () => {
    expect(texts('sudo --x a b')).toEqual(['command sudo --x a b', 'command a b', 'maybe command b']);
  });

  it('have words without quotes and escapes', () => {
    expect(words('r\'m\' \\-rf "a b" $\'\\x41\\u00e9\' $x"y" *.ts')).toEqual([['rm', '-rf', 'a b', 'Aé', '$xy', '*.ts']]);
  });

  it('know where they stand in the command, those of an inner script by the word that carries it', () => {
    const command = "ls | sh -c 'a; b' # c";
    expect(readCommand(command).parts.map((part) => command.slice(part.from, part.to))).toEqual(['ls', "sh -c 'a; b'", "'a; b'", "'a; b'"]);
  });

  it('carry the redirections and the pipe of what is around them', () => {
    const { parts } = readCommand('a | { b; ( c ) 2> d; } > e');
    expect(parts.map((part) => [part.text, part.redirects.map((redirect) => redirect.text), part.feed])).toEqual([
      ['a', [], undefined],
      ['b', ['> e'], 'a | '],
      ['c', ['> e', '2> d'], 'a | '],
    ]);
  });

  it('are one opaque part where nothing can be judged', () => {
    const opaque = ['', ' \n', '# a', 'a )', "a '", 'a 3> b', 'a {fd}> b', 'a >&3', 'a '.repeat(5_001)];
    expect(opaque.map((command) => readCommand(command).parts.map((part) => part.kind))).toEqual(opaque.map(() => ['opaque']));
  });

  it('are opaque where the program is known only when it runs', () => {
    const programs = ['$x a', '"$x" a', '$(a)', '`a`', '*', '[a]b', '{a,b}', '~/a', '~', 'a$x', '$((1))'];
    expect(programs.map((command) => readCommand(command).parts[0]?.kind)).toEqual(programs.map(() => 'opaque'));
  });

  it('are beside an opaque one where text that runs cannot be seen', () => {
    const unseen = [
      'eval "$x"',
      'trap "$x" EXIT',
      'a | sh',
      'a | { b; bash -s; }',
      'ssh h a',
      'nsenter -t 1 a',
      'chroot /x',
      'unshare -r',
      'script',
      'parallel',
      'parallel {} ::: a',
      'bash <<E\n$x\nE',
      'sh -c "$x"',
    ];
    expect(
      unseen.map(
        (command) =>
          readCommand(command)
            .parts.map((part) => part.kind)
            .filter((kind) => kind === 'opaque').length > 0,
      ),
    ).toEqual(unseen.map(() => true));
    const seen = [
      'eval a',
      "trap 'a' EXIT",
      'trap - EXIT',
      'a | sh -c b',
      'chroot /x a',
      'unshare -r a',
      'script -c a',
      'parallel a {} ::: b',
      "bash <<'E'\na $x\nE",
      'sudo',
    ];
    expect(
      seen.map((command) =>
        readCommand(command)
          .parts.map((part) => part.kind)
          .filter((kind) => kind === 'opaque'),
      ),
    ).toEqual(seen.map(() => []));
  });

  it('are words of a single command only where nothing else stands in it', () => {
    const single = ['a', ' a  b ', "a 'b c'", 'a "$x" *.ts'];
    const more = ['a; ', 'a\n', 'a &', 'a # b', 'a > b', 'A=1 a', '( a )', 'a | b', '! a', 'time a', 'A=1', 'a \\\n b', 'export a=1'];
    expect([single.map((command) => readCommand(command).single !== undefined), more.map((command) => readCommand(command).single)]).toEqual([
      single.map(() => true),
      more.map(() => undefined),
    ]);
  });
});
