/**
 * The files that a script for sed may write: what a `w`, a `W` or the flag `w` of an `s` names.
 *
 * Out    each name to the end of its line, as sed reads it, and to the next blank, semicolon or brace. A script that cannot be read counts whatever stands
 *        behind any w.
 */
export function filesWrittenBySed(script: string): readonly string[] {
  // Whether a bracket hides the delimiter inside it differs from sed to sed.
  const readings = [read(script, true), read(script, false)];
  const found = readings.every(({ isWhole }) => !isWhole)
    ? [...script.matchAll(/[wW][ \t]*([^\n]+)/g)].map(([, rest = '']) => rest)
    : readings.flatMap(({ rests }) => rests);
  return [...new Set(found.flatMap((rest) => [rest, rest.split(/[\s;}]/, 1)[0] as string]))].filter((name) => name !== '');
}

interface Reading {
  /** What stands behind each w, to the end of the line. */
  readonly rests: readonly string[];
  readonly isWhole: boolean;
}

function read(script: string, brackets: boolean): Reading {
  const rests: string[] = [];
  let at = 0;
  const rest = () => {
    const end = script.indexOf('\n', at);
    const text = script.slice(at, end === -1 ? script.length : end);
    at += text.length;
    return text.replace(/^[ \t]+/, '');
  };
  const skip = (pattern: RegExp) => {
    pattern.lastIndex = at;
    at += pattern.exec(script)?.[0].length ?? 0;
  };
  /** Goes behind the next delimiter. */
  const pass = (delimiter: string | undefined, isPattern: boolean) => {
    for (; at < script.length; at++) {
      const character = script[at];
      if (character === '\\') at++;
      else if (character === delimiter) break;
      else if (character === '[' && brackets && isPattern) {
        const close = script.indexOf(']', at + (/^\[\^?\]/.exec(script.slice(at, at + 3))?.[0].length ?? 1));
        if (close !== -1) at = close;
      }
    }
    at++;
  };
  while (at < script.length) {
    const character = script[at++] as string;
    if (character === '/') pass('/', true);
    else if (character === '\\') pass(script[at++], true);
    else if (character === 's' || character === 'y') {
      const delimiter = script[at++];
      pass(delimiter, character === 's');
      pass(delimiter, false);
      if (character === 'y') continue;
      skip(/[gpiImMe\d]*/y);
      if (script[at] !== 'w') continue;
      at++;
      rests.push(rest());
    } else if (character === 'w' || character === 'W') rests.push(rest());
    else if ('rRe#'.includes(character)) rest();
    else if ('aic'.includes(character)) skip(/(?:[^\\\n]|\\[\s\S])*/y);
    else if (':btT'.includes(character)) skip(/[^\n;}]*/y);
    // Places, and commands of one letter.
    else if (!/[\s;{}\d$~+,!IMdDgGhHnNpPxzFqQlL=v]/.test(character)) return { rests, isWhole: false };
  }
  return { rests, isWhole: at === script.length };
}
