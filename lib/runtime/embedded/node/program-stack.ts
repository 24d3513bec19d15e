/** A stack without the lines of our own worker's bundle, which may lie below a folder named as a program's own are, such as `/tmp`. */
export function programStack(stack: string | undefined): string {
  return (stack ?? '')
    .split('\n')
    .filter((line) => !/\.worker\.c?js:\d/.test(line))
    .join('\n');
}
