import { messageOf } from '@/lib/shared/coded-error';

/** Prints `usage` and leaves with 0 where a command line asks for it. */
export function answerHelp(args: readonly string[], usage: string): void {
  const own = args.includes('--') ? args.slice(0, args.indexOf('--')) : args;
  if (!own.includes('--help') && !own.includes('-h')) return;
  console.log(usage);
  process.exit(0);
}

/** What is wrong with a command line, without the advice that Node adds about options of another kind, and how to write it. */
export function wrongUsage(error: unknown, usage: string): string {
  const [sentence = ''] = messageOf(error).split(/\.? To specify /, 1);
  return `${sentence}\n\n${usage}`;
}
