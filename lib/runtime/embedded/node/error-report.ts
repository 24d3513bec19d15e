import type { SyncFiles } from '@/lib/runtime/embedded/sync-files';
import { decodeUtf8 } from '@/lib/shared/bytes';
import { inspect } from './core/inspect';
import { NODE_VERSION } from './node-process';
import { programStack } from './program-stack';
import { ModuleSyntaxError } from './transpile';

/** What Node prints for an error that nobody caught: where, the line itself, the error with its stack. */
export function reportUncaught(error: unknown, files: SyncFiles): string {
  const tail = `\n\nNode.js ${NODE_VERSION}\n`;
  if (error instanceof ModuleSyntaxError) return `${excerpt(files, error.file, error.line, error.column)}\n\nSyntaxError: ${error.message}${tail}`;
  if (!(error instanceof Error)) return `Uncaught:\n${inspect(error)}\n(Use \`node --trace-uncaught ...\` to show where the exception was thrown)${tail}`;
  const place = /\(?((?:\/workspace|\/tmp)\/[^():\n]+|\[eval\]|\[stdin\]):(\d+):(\d+)\)?/.exec(programStack(error.stack));
  const shown = inspect(error);
  return `${place ? `${excerpt(files, place[1] as string, Number(place[2]))}\n\n` : ''}${shown}${tail}`;
}

/** `column` is left out where it is one of compiled code. */
function excerpt(files: SyncFiles, file: string, line: number, column?: number): string {
  const source = file.startsWith('/') && files.stat(file)?.kind === 'file' ? decodeUtf8(files.readFile(file)).split('\n')[line - 1] : undefined;
  return `${file}:${line}${source === undefined ? '' : `\n${source}${column === undefined ? '' : `\n${' '.repeat(Math.max(column - 1, 0))}^`}`}`;
}
