import ts from 'typescript';
import type { Diagnostic } from '@/lib/contracts/diagnostics';
import { readLocatedJson } from '@/lib/shared/located-json';
import { parseJson } from '@/lib/shared/read-json';
import { lenientJson } from './known-files';

/** The first problem of a JSON file; settings of tools may hold comments. */
export function jsonProblems(path: string, text: string): readonly Diagnostic[] {
  const problem = lenientJson.test(path) ? lenientProblem(path, text) : strictProblem(text);
  return problem === undefined ? [] : [{ path, severity: 'error', code: 'JSON', ...problem }];
}

type Problem = Pick<Diagnostic, 'line' | 'column' | 'message'>;

function strictProblem(text: string): Problem | undefined {
  if (parseJson(text) !== undefined) return undefined;
  const read = readLocatedJson(text);
  return 'problem' in read ? read.problem : { line: 1, column: 1, message: 'This is no JSON.' };
}

function lenientProblem(path: string, text: string): Problem | undefined {
  const { error } = ts.parseConfigFileTextToJson(path, text);
  if (error === undefined) return undefined;
  const before = text.slice(0, error.start ?? 0).split('\n');
  return { line: before.length, column: (before.at(-1) ?? '').length + 1, message: ts.flattenDiagnosticMessageText(error.messageText, ' ') };
}
