import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { projectRoot } from '@/scripts/layers.mjs';

export interface SourceFile {
  /** Relative to the project, `/`-separated. */
  readonly path: string;
  readonly text: string;
}

function below(folder: string): string[] {
  const full = join(projectRoot, folder);
  if (!existsSync(full)) return [];
  return readdirSync(full, { withFileTypes: true })
    .filter((entry) => entry.name !== 'node_modules')
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => (entry.isDirectory() ? below(`${folder}/${entry.name}`) : [`${folder}/${entry.name}`]));
}

/** TypeScript files below the folders, sorted. */
export function sourceFiles(folders: readonly string[]): SourceFile[] {
  return folders
    .flatMap(below)
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => ({ path, text: readFileSync(join(projectRoot, path), 'utf8') }));
}

/** What a file imports: `import`, `export from`, `import()`, `import('x').T` and `require`, types too. */
export function importsOf(text: string): string[] {
  return ts.preProcessFile(text, true, true).importedFiles.map((file) => file.fileName);
}

/** Files that git knows or would add: what a clone holds. */
export function clonedFiles(): string[] {
  return execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate'], { cwd: projectRoot, encoding: 'utf8' })
    .split('\n')
    .filter((path) => path !== '' && existsSync(join(projectRoot, path)));
}
