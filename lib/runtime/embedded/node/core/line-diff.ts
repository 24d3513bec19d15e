/** Lines that a difference may be compared cell by cell for; beyond it the ends are compared and the middle is replaced whole. */
const LIMIT = 2_000;
/** Equal lines shown around a change. */
const AROUND = 3;

/** `+` lines of `actual`, `-` lines of `expected`, equal lines indented by two, long equal stretches left out. */
export function diffLines(actual: readonly string[], expected: readonly string[]): readonly string[] {
  let start = 0;
  while (start < actual.length && start < expected.length && actual[start] === expected[start]) start++;
  let end = 0;
  while (end < actual.length - start && end < expected.length - start && actual[actual.length - 1 - end] === expected[expected.length - 1 - end]) end++;
  const a = actual.slice(start, actual.length - end);
  const b = expected.slice(start, expected.length - end);
  const equal = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`);
  const changes = a.length > LIMIT || b.length > LIMIT ? [...a.map((line) => `+ ${line}`), ...b.map((line) => `- ${line}`)] : longestCommon(a, b);
  return shorten([...equal(actual.slice(0, start)), ...changes, ...equal(actual.slice(actual.length - end))]);
}

function longestCommon(a: readonly string[], b: readonly string[]): string[] {
  const width = b.length + 1;
  const lengths = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      lengths[i * width + j] =
        a[i] === b[j]
          ? (lengths[(i + 1) * width + j + 1] as number) + 1
          : Math.max(lengths[(i + 1) * width + j] as number, lengths[i * width + j + 1] as number);
    }
  }
  const lines: string[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push(`  ${a[i++]}`);
      j++;
    } else if (j >= b.length || (i < a.length && (lengths[(i + 1) * width + j] as number) >= (lengths[i * width + j + 1] as number))) lines.push(`+ ${a[i++]}`);
    else lines.push(`- ${b[j++]}`);
  }
  return lines;
}

function shorten(lines: readonly string[]): readonly string[] {
  const near = (at: number): boolean => lines.slice(Math.max(0, at - AROUND), at + AROUND + 1).some((line) => !line.startsWith('  '));
  const kept: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const start = at;
    while (at < lines.length && !near(at)) at++;
    // One line is not worth leaving out.
    if (at - start > 1) kept.push('...');
    else kept.push(...lines.slice(start, at));
    if (at < lines.length) kept.push(lines[at] as string);
  }
  return kept;
}
