import { describe, expect, it } from 'vitest';
import { MemoryFiles } from '@/lib/runtime/embedded/memory-files';
import { readNodeCommand } from '@/lib/runtime/embedded/node/command-line';
import { ModuleResolver } from '@/lib/runtime/embedded/node/resolve-module';
import { findTests } from '@/lib/runtime/embedded/node/test/find-tests';
import { compileModule } from '@/lib/runtime/embedded/node/transpile';

function filesOf(contents: Readonly<Record<string, string>>): MemoryFiles {
  const files = new MemoryFiles();
  for (const [path, text] of Object.entries(contents)) {
    const absolute = `/workspace/${path}`;
    files.mkdir(absolute.slice(0, absolute.lastIndexOf('/')), true);
    files.writeFile(absolute, new TextEncoder().encode(text));
  }
  return files;
}

describe('ModuleResolver', () => {
  const pack = (value: unknown): string => JSON.stringify(value);
  const resolver = new ModuleResolver(
    filesOf({
      'package.json': pack({ name: 'app', type: 'module', imports: { '#lib/*': './src/*.ts' }, exports: { '.': './src/a.ts' } }),
      'src/a.ts': '',
      'src/b.js': '',
      'src/folder/index.js': '',
      'node_modules/plain/package.json': pack({ main: 'lib/main' }),
      'node_modules/plain/lib/main.js': '',
      'node_modules/plain/extra.js': '',
      'node_modules/@s/ported/package.json': pack({
        exports: { '.': { import: './esm.mjs', require: './cjs.cjs' }, './features/*': './f/*.js', './data': [{ unknown: './no' }, './data.json'] },
      }),
      'node_modules/@s/ported/esm.mjs': '',
      'node_modules/@s/ported/cjs.cjs': '',
      'node_modules/@s/ported/f/x.js': '',
      'node_modules/@s/ported/data.json': '',
      'src/node_modules/plain/index.js': '',
    }),
  );
  const find = (specifier: string, by: 'import' | 'require', from = '/workspace/top.js'): string => {
    try {
      return resolver.resolve({ specifier, from, by }).replace('/workspace/', '');
    } catch (error) {
      return (error as { code: string }).code;
    }
  };

  it.each([
    ['./src/b.js', 'import', 'src/b.js'],
    ['./src/b', 'import', 'ERR_MODULE_NOT_FOUND'],
    ['./src/b', 'require', 'src/b.js'],
    ['./src/folder', 'require', 'src/folder/index.js'],
    ['./src/a.js', 'import', 'src/a.ts'],
    ['plain', 'import', 'node_modules/plain/lib/main.js'],
    ['plain/extra.js', 'import', 'node_modules/plain/extra.js'],
    ['plain/none', 'require', 'MODULE_NOT_FOUND'],
    ['@s/ported', 'import', 'node_modules/@s/ported/esm.mjs'],
    ['@s/ported', 'require', 'node_modules/@s/ported/cjs.cjs'],
    ['@s/ported/features/x', 'import', 'node_modules/@s/ported/f/x.js'],
    ['@s/ported/data', 'import', 'node_modules/@s/ported/data.json'],
    ['@s/ported/hidden', 'import', 'ERR_PACKAGE_PATH_NOT_EXPORTED'],
    ['#lib/a', 'import', 'src/a.ts'],
    ['#none', 'import', 'ERR_PACKAGE_IMPORT_NOT_DEFINED'],
    ['app', 'import', 'src/a.ts'],
    ['nowhere', 'import', 'ERR_MODULE_NOT_FOUND'],
    ['file:///workspace/src/b.js', 'import', 'src/b.js'],
  ] as const)('%s by %s', (specifier, by, expected) => {
    expect(find(specifier, by)).toBe(expected);
  });

  it('TypeScript asks without endings, and the nearest node_modules wins', () => {
    expect(find('./b', 'import', '/workspace/src/a.ts')).toBe('src/b.js');
    expect(find('plain', 'require', '/workspace/src/a.ts')).toBe('src/node_modules/plain/index.js');
  });
});

describe('compileModule', () => {
  it('keeps every line where it was', () => {
    const source = "import { a } from './a.js';\n\ninterface B { c: number }\nconst d: B = { c: 1 };\n\nexport { d };\nthrow a;\n";
    const { code } = compileModule(source, '/workspace/x.ts', 'unknown');
    expect(code.split('\n').findIndex((line) => line.includes('throw'))).toBe(6);
  });

  it('names what is imported before the module runs, and nothing that is loaded later', () => {
    const source = "import a from './a.js';\nimport './b.js';\nexport * from './c.js';\nconst late = () => import('./d.js');\n";
    expect(compileModule(source, 'x.mjs', 'esm').imports).toEqual(['./a.js', './b.js', './c.js']);
  });

  it('reads module syntax as a module unless the name says otherwise', () => {
    expect(compileModule('export const a = 1;', 'x.js', 'unknown').esm).toBe(true);
    expect(compileModule('exports.a = 1; // export it', 'x.js', 'unknown').esm).toBe(false);
    expect(compileModule("exports.a = 'x\\nexport y';", 'x.js', 'commonjs').esm).toBe(false);
  });

  it('says where a module cannot be parsed', () => {
    expect(() => compileModule('const a: number = ;\n', '/workspace/x.ts', 'esm')).toThrow(
      expect.objectContaining({ name: 'SyntaxError', line: 1, file: '/workspace/x.ts' }),
    );
  });
});

describe('readNodeCommand', () => {
  it.each([
    [['x.js', '--flag', 'y'], { kind: 'file', file: 'x.js', argv: ['--flag', 'y'], preload: [], execArgv: [] }],
    [
      ['--no-warnings', '--import', 'tsx', '--enable-source-maps', 'x.ts'],
      { kind: 'file', file: 'x.ts', argv: [], preload: [], execArgv: ['--no-warnings', '--import', '--enable-source-maps'] },
    ],
    [['-r', './setup.js', '-e', '1', 'a'], { kind: 'text', source: '1', print: false, argv: ['a'], preload: ['./setup.js'], execArgv: ['-r', '-e'] }],
    [['-p', '1 + 1'], { kind: 'text', source: '1 + 1', print: true, argv: [], preload: [], execArgv: ['-p'] }],
    [['--test', 'a.test.js', '--test-name-pattern=x'], { kind: 'test', words: ['a.test.js'], namePatterns: ['x'], only: false, preload: [] }],
    [['--test', '--test-reporter', 'spec', '--test-only'], { kind: 'test', words: [], namePatterns: [], only: true, preload: [] }],
    [['-'], { kind: 'stdin', argv: [], preload: [], execArgv: [] }],
    [['-v'], { kind: 'version' }],
    [['-z'], { kind: 'bad-option', option: '-z' }],
  ])('%j', (args, expected) => {
    expect(readNodeCommand(args)).toEqual(expected);
  });
});

describe('findTests', () => {
  const files = filesOf(
    Object.fromEntries(
      [
        'a.test.ts',
        'b-test.mjs',
        'test.js',
        'test-c.cjs',
        'src/d.js',
        'test/e.js',
        'test/deep/f.ts',
        'types.test.d.ts',
        'node_modules/x/g.test.js',
        'spec/h.spec.js',
      ].map((path) => [path, '']),
    ),
  );
  const find = (...words: string[]): readonly string[] =>
    findTests(files, '/workspace', words)
      .map((path) => path.slice('/workspace/'.length))
      .sort();

  it('takes by itself what node --test takes, TypeScript too', () => {
    expect(find()).toEqual(['a.test.ts', 'b-test.mjs', 'test-c.cjs', 'test.js', 'test/deep/f.ts', 'test/e.js']);
  });

  it('takes files, folders and globs that are named', () => {
    expect(find('spec/h.spec.js', 'test')).toEqual(['spec/h.spec.js', 'test/deep/f.ts', 'test/e.js']);
    expect(find('**/*.{spec,test}.?s')).toEqual(['a.test.ts', 'spec/h.spec.js']);
    expect(() => find('none')).toThrow("Could not find '/workspace/none'");
  });
});
