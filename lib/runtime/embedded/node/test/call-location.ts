import { programStack } from '@/lib/runtime/embedded/node/program-stack';

/** Where the program called us from: `file:line`, relative to the working folder; '' when the stack does not say. A compiled module keeps its lines, not its columns. */
export function callLocation(): string {
  const stack = programStack(new Error('location').stack);
  const found = /(?:\(|at |@)((?:\/workspace|\/tmp)\/[^\s():]+(?:[^():\n]*)):(\d+):(\d+)/.exec(stack);
  if (!found) return '';
  const cwd = (globalThis as unknown as { process?: { cwd(): string } }).process?.cwd() ?? '/workspace';
  const [, file = '', line] = found;
  return `${file.startsWith(`${cwd}/`) ? file.slice(cwd.length + 1) : file}:${line}`;
}
