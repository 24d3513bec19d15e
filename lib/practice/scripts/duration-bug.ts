/** The slip in `src/duration.ts`, found in the text of the file as it is now, and the edit that mends it. */
export type SourceState =
  | {
      readonly kind: 'broken';
      readonly line: number;
      readonly search: string;
      readonly wideSearch: string;
      readonly replace: string;
      readonly wideReplace: string;
    }
  | { readonly kind: 'mended' }
  | { readonly kind: 'strange' };

const broken = /^([ \t]*)const (\w+) = Math\.floor\((\w+) \/ 60\);\n[ \t]*const (\w+) = Math\.round\(\3 % 60\);/m;
const roundsWhole = /Math\.round\(\w+\)/;
const roundsRest = /Math\.round\([^()]*%/;

/**
 * Looks at the source for the hours that are split off before the minutes are rounded.
 *
 * In     `text` of the file, without line numbers.
 * Out    with `broken`: two exact edits of the same effect (the wide one takes the next line in), so that a second request
 *        is not the call that a person declined.
 */
export function readSource(text: string): SourceState {
  const match = broken.exec(text);
  if (match !== null) {
    const [search, indent = '', hours = 'hours', total = 'totalMinutes', minutes = 'minutes'] = match;
    const replace = [`const rounded = Math.round(${total});`, `const ${hours} = Math.floor(rounded / 60);`, `const ${minutes} = rounded % 60;`]
      .map((line) => indent + line)
      .join('\n');
    const rest = text.slice(match.index + search.length);
    const nextLine = /^\n[^\n]*/.exec(rest)?.[0] ?? '';
    const line = text.slice(0, match.index).split('\n').length;
    return { kind: 'broken', line, search, replace, wideSearch: search + nextLine, wideReplace: replace + nextLine };
  }
  return roundsWhole.test(text) && !roundsRest.test(text) ? { kind: 'mended' } : { kind: 'strange' };
}

/** The text of a file out of a `read_file` result, whose lines come as number, tab, text. */
export function withoutLineNumbers(shown: string): string {
  return shown
    .split('\n')
    .flatMap((line) => /^\s*\d+\t(.*)$/.exec(line)?.[1] ?? [])
    .join('\n');
}
