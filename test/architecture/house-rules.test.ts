import { basename } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { clonedFiles, importsOf, type SourceFile, sourceFiles } from './source-files';

const product = sourceFiles(['lib', 'components', 'workers', 'app', 'shims']);
const ours = [...product, ...sourceFiles(['test'])].filter(({ path }) => !path.startsWith('test/fixtures/') && !path.endsWith('.gen.ts'));

/** Names that are given: Next's, and Node's own module `util`. */
const givenNames = /^(app\/(.*\/)?(layout|page|route|not-found|error|global-error)\.tsx?|lib\/runtime\/embedded\/node\/core\/util\.ts)$/;
const kebabCase = /^[a-z0-9]+(-[a-z0-9]+)*(\.(worker|test|spec|gen|server|d))*\.tsx?$/;
const emptyNames = /(^|-)(manager|helpers?|utils?|misc|common)(-|\.)/;

const barrels = (files: readonly SourceFile[]) => files.filter(({ path }) => /(^|\/)index\.tsx?$/.test(path)).map(({ path }) => path);
const tooLong = (files: readonly SourceFile[]) => files.filter(({ text }) => text.trimEnd().split('\n').length > 400).map(({ path }) => path);
const badlyNamed = (files: readonly SourceFile[]) =>
  files.filter(({ path }) => !givenNames.test(path) && (!kebabCase.test(basename(path)) || emptyNames.test(basename(path)))).map(({ path }) => path);

/** Files that write `… as ToolCall` (or `<ToolCall>…`), alone or inside a larger type. */
function castsToToolCall(files: readonly SourceFile[]): string[] {
  const namesToolCall = (node: ts.Node): boolean =>
    (ts.isIdentifier(node) && node.text === 'ToolCall') || ts.forEachChild(node, (child) => namesToolCall(child) || undefined) === true;
  const casts = (node: ts.Node): boolean =>
    ((ts.isAsExpression(node) || ts.isTypeAssertionExpression(node)) && namesToolCall(node.type)) ||
    ts.forEachChild(node, (child) => casts(child) || undefined) === true;
  return files
    .filter(
      ({ path, text }) =>
        text.includes('ToolCall') &&
        casts(ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, false, path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS)),
    )
    .map(({ path }) => path);
}

describe('house rules', () => {
  it('there are no barrels', () => {
    expect(barrels(ours)).toEqual([]);
    expect(barrels([{ path: 'lib/engine/index.ts', text: '' }])).toEqual(['lib/engine/index.ts']);
  });

  it('no file is longer than 400 lines', () => {
    expect(tooLong(ours)).toEqual([]);
    expect(tooLong([{ path: 'lib/a.ts', text: 'x;\n'.repeat(401) }])).toEqual(['lib/a.ts']);
    expect(tooLong([{ path: 'lib/a.ts', text: 'x;\n'.repeat(400) }])).toEqual([]);
  });

  it('file names are kebab-case and say something', () => {
    expect(badlyNamed(ours)).toEqual([]);
    const planted = ['lib/readFile.ts', 'lib/Read.ts', 'lib/path-utils.ts', 'lib/session-manager.ts', 'lib/a_b.ts', 'components/common.tsx'].map((path) => ({
      path,
      text: '',
    }));
    expect(badlyNamed(planted)).toEqual(planted.map(({ path }) => path));
  });

  it('only the block assembler makes a ToolCall', () => {
    expect(castsToToolCall(product).filter((path) => path !== 'lib/pipeline/1-stream/assemble-blocks.ts')).toEqual([]);
    const planted = [
      'const a = b as ToolCall;',
      'const a = b as unknown as ToolCall[];',
      'const a = <ToolCall>b;',
      'f(x as Map<string, ToolCall>);',
      'const a: ToolCall = b;',
    ];
    expect(castsToToolCall(planted.map((text, index) => ({ path: `lib/${index}.ts`, text })))).toEqual(['lib/0.ts', 'lib/1.ts', 'lib/2.ts', 'lib/3.ts']);
  });

  it('a Tool knows no approval, sandbox, runtime or context', () => {
    const tool = product.find(({ path }) => path === 'lib/contracts/tool.ts');
    if (!tool) throw new Error('lib/contracts/tool.ts is missing');
    expect(importsOf(tool.text).toSorted()).toEqual(['./json-schema', './outcome']);
    const members: string[] = [];
    ts.createSourceFile(tool.path, tool.text, ts.ScriptTarget.ES2023).forEachChild((node) => {
      if (ts.isInterfaceDeclaration(node))
        members.push(...node.members.map((member) => (member.name && ts.isIdentifier(member.name) ? member.name.text : '?')));
    });
    expect(members.toSorted()).toEqual(['capabilities', 'description', 'inputSchema', 'name', 'run']);
  });

  it('no generated or private file is in the clone', () => {
    expect(clonedFiles().filter((path) => /(^|\/)(node_modules|\.next|\.cache|test-results)\/|\.tsbuildinfo$|(^|\/)\.env/.test(path))).toEqual([]);
  });
});
