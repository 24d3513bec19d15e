import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { projectRoot, readLayers } from '@/scripts/layers.mjs';

const layers = readLayers();
const configPath = join(projectRoot, 'tsconfig.engine.json');
const { config } = ts.readConfigFile(configPath, ts.sys.readFile);
const parsed = ts.parseJsonConfigFileContent(config, ts.sys, projectRoot, undefined, configPath);

/** Messages of the engine's compiler settings on one text. */
function problemsIn(text: string): string[] {
  const planted = join(projectRoot, 'lib/engine/planted.ts');
  const host = ts.createCompilerHost(parsed.options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (path) => path === planted || fileExists(path);
  host.getSourceFile = (path, options) => (path === planted ? ts.createSourceFile(path, text, options) : getSourceFile(path, options));
  const program = ts.createProgram([planted], parsed.options, host);
  return program.getSemanticDiagnostics(program.getSourceFile(planted)).map((problem) => ts.flattenDiagnosticMessageText(problem.messageText, ' '));
}

describe('the engine without a DOM', () => {
  it('every folder below lib that needs no DOM is checked without it', () => {
    const checked = new Set(
      parsed.fileNames.map((path) =>
        dirname(path.slice(projectRoot.length + 1))
          .split('/')
          .slice(0, 2)
          .join('/'),
      ),
    );
    const expected = Object.keys(layers.folders).filter((folder) => folder.startsWith('lib/') && !layers.folders[folder]?.dom && hasSources(folder));
    expect(expected.filter((folder) => !checked.has(folder))).toEqual([]);
  });

  it('the settings refuse page and Node globals, and know what a worker has', () => {
    const globals = ['document.title', 'window.name', 'localStorage.length', 'process.env', 'Buffer.from("")'];
    expect(globals.map((text) => problemsIn(`${text};`).length)).toEqual([1, 1, 1, 1, 1]);
    expect(problemsIn('const c: AbortController = new AbortController(); setTimeout(() => c.abort(), 1); new TextEncoder(); new URL("x:y");')).toEqual([]);
  });
});

function hasSources(folder: string): boolean {
  return existsSync(join(projectRoot, folder)) && ts.sys.readDirectory(join(projectRoot, folder), ['.ts']).length > 0;
}
