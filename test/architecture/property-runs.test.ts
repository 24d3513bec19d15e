import ts from 'typescript';
import { expect, it } from 'vitest';
import { type SourceFile, sourceFiles } from './source-files';

const least = 1_000;
/** Properties that stand beside the other tests of their part. */
const elsewhere = ['test/unit/model/sse.test.ts', 'test/unit/shared/valid-history.test.ts', 'test/scenario/replay.test.ts'];

/** How often each `fc.assert` of a file runs; 0 where that cannot be read in the file. */
function runsOf({ path, text }: SourceFile): readonly number[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true);
  const settings = new Map<string, ts.Expression>();
  const runs: number[] = [];
  const numRuns = (node: ts.Expression | undefined): number => {
    if (node === undefined) return 0;
    if (ts.isIdentifier(node)) return numRuns(settings.get(node.text));
    if (!ts.isObjectLiteralExpression(node)) return 0;
    for (const member of node.properties)
      if (ts.isPropertyAssignment(member) && member.name.getText(source) === 'numRuns' && ts.isNumericLiteral(member.initializer))
        return Number(member.initializer.text);
    return 0;
  };
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer !== undefined) settings.set(node.name.text, node.initializer);
    if (ts.isCallExpression(node) && node.expression.getText(source) === 'fc.assert') runs.push(numRuns(node.arguments[1]));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return runs;
}

const tooFew = (files: readonly SourceFile[]) => files.flatMap((file) => runsOf(file).flatMap((runs) => (runs < least ? [`${file.path}: ${runs}`] : [])));

it('every property runs at least a thousand times', () => {
  const files = sourceFiles(['test/property', 'test/unit', 'test/scenario']).filter(
    ({ path }) => path.startsWith('test/property/') || elsewhere.includes(path),
  );
  expect(tooFew(files)).toEqual([]);
  expect(elsewhere.filter((path) => !files.some((file) => file.path === path && runsOf(file).length > 0))).toEqual([]);
});

it('one that runs fewer times, or does not say how often, is found', () => {
  const text =
    'const runs = { numRuns: 1_000 }; const few = { numRuns: 999 }; fc.assert(a, runs); fc.assert(a, few); fc.assert(a); fc.assert(a, { seed: 1 }); fc.assert(a, { numRuns: 2_000 }); fc.assert(a, other);';
  expect(tooFew([{ path: 'a.test.ts', text }])).toEqual(['a.test.ts: 999', 'a.test.ts: 0', 'a.test.ts: 0', 'a.test.ts: 0']);
});
