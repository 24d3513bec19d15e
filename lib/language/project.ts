import ts from 'typescript';
import type { Diagnostic } from '@/lib/contracts/diagnostics';
import { sourceEnding } from './known-files';

/** Where the compiler sees the workspace; our own declarations lie beside it, so that those of the workspace come first. */
const root = '/workspace';
const libraryFolder = '/libraries';

/** `matchFiles` is what the compiler's own host uses to read `include`; it is not in its declarations. */
type MatchFiles = (
  path: string,
  extensions: readonly string[] | undefined,
  excludes: readonly string[] | undefined,
  includes: readonly string[] | undefined,
  caseSensitive: boolean,
  currentFolder: string,
  depth: number | undefined,
  entriesOf: (path: string) => { readonly files: readonly string[]; readonly directories: readonly string[] },
  realpath: (path: string) => string,
) => string[];
const { matchFiles } = ts as unknown as { readonly matchFiles: MatchFiles };

/** The files of a workspace as the compiler reads them, and what it finds in them. */
export interface Project {
  /** null = the file is gone. */
  put(path: string, text: string | null): void;
  /** Problems of source files, each from its beginning; paths that are not there are passed over. */
  problems(paths: readonly string[], packagesUnknown: boolean): readonly Diagnostic[];
  paths(): readonly string[];
  text(path: string): string | undefined;
}

interface Service {
  readonly service: ts.LanguageService;
  roots: readonly string[];
  options: ts.CompilerOptions;
}

/**
 * Makes the project of a workspace.
 *
 * In     `libraries`: declarations by path, `lib.es2023.d.ts` and `@types/node/…`, which stand in where the workspace has none.
 */
export function createProject(libraries: Readonly<Record<string, string>>): Project {
  const files = new Map<string, { readonly text: string; readonly version: number }>();
  const folders = new Map<string, Set<string>>();
  const services = new Map<string, Service>();
  const registry = ts.createDocumentRegistry(true, root);
  let version = 0;
  let anyPackages = '';

  const textOf = (name: string): string | undefined => {
    if (name === `${root}/packages.d.ts`) return anyPackages;
    if (name.startsWith(`${root}/`)) return files.get(name.slice(root.length + 1))?.text;
    if (name.startsWith(`${libraryFolder}/`)) return libraries[name.slice(libraryFolder.length + 1)];
    return name.startsWith('/node_modules/') ? libraries[name.slice('/node_modules/'.length)] : undefined;
  };
  const libraryFolders = foldersOf(Object.keys(libraries).map((path) => (path.includes('/') ? `node_modules/${path}` : `libraries/${path}`)));
  const isFolder = (name: string): boolean => name === root || folders.has(name.slice(root.length + 1)) || libraryFolders.has(name.slice(1));
  const entriesOf = (name: string) => {
    const within = name === root ? '' : name.slice(root.length + 1);
    const all = [...(folders.get(within) ?? [])];
    const path = (entry: string) => (within === '' ? entry : `${within}/${entry}`);
    return { files: all.filter((entry) => files.has(path(entry))), directories: all.filter((entry) => folders.has(path(entry))) };
  };
  const fileHost = {
    useCaseSensitiveFileNames: true,
    fileExists: (name: string) => textOf(name) !== undefined,
    readFile: textOf,
    readDirectory: (path: string, extensions?: readonly string[], excludes?: readonly string[], includes?: readonly string[], depth?: number) =>
      matchFiles(path, extensions, excludes, includes, true, root, depth, entriesOf, (same) => same),
  };

  /** The settings that hold for a file: of the nearest `tsconfig.json` that includes it, or ours. */
  const settingsFor = (path: string): { readonly key: string; readonly options: ts.CompilerOptions; readonly roots: readonly string[] } => {
    const name = `${root}/${path}`;
    for (let folder = parentOf(path); ; folder = parentOf(folder)) {
      const config = [`${folder === '' ? '' : `${folder}/`}tsconfig.json`, `${folder === '' ? '' : `${folder}/`}jsconfig.json`].find((one) => files.has(one));
      const found = config === undefined ? undefined : includedBy(`${root}/${config}`, name, new Set());
      if (found !== undefined) return found;
      if (folder === '') break;
    }
    return {
      key: '',
      options: ownOptions,
      roots: [...files.keys()].filter((one) => sourceEnding.test(one) && !one.includes('node_modules/')).map((one) => `${root}/${one}`),
    };
  };
  const includedBy = (config: string, name: string, seen: Set<string>): ReturnType<typeof settingsFor> | undefined => {
    if (seen.has(config)) return undefined;
    seen.add(config);
    const read = ts.readConfigFile(config, textOf);
    const parsed = ts.parseJsonConfigFileContent(read.config ?? {}, fileHost, parentOf(config), undefined, config);
    if (parsed.fileNames.includes(name)) return { key: config, options: parsed.options, roots: parsed.fileNames };
    for (const reference of parsed.projectReferences ?? []) {
      const target = reference.path.endsWith('.json') ? reference.path : `${reference.path}/tsconfig.json`;
      const found = fileHost.fileExists(target) ? includedBy(target, name, seen) : undefined;
      if (found !== undefined) return found;
    }
    return undefined;
  };
  const serviceFor = (path: string): ts.LanguageService => {
    const { key, options, roots } = settingsFor(path);
    const known = services.get(key);
    const name = `${root}/${path}`;
    const settings = complete(options);
    if (known !== undefined) {
      known.roots = roots.includes(name) ? roots : [...roots, name];
      known.options = settings;
      return known.service;
    }
    const made: Service = { service: undefined as unknown as ts.LanguageService, roots: roots.includes(name) ? roots : [...roots, name], options: settings };
    const host: ts.LanguageServiceHost = {
      fileExists: fileHost.fileExists,
      readFile: textOf,
      readDirectory: fileHost.readDirectory,
      useCaseSensitiveFileNames: () => true,
      getCompilationSettings: () => made.options,
      getScriptFileNames: () => (anyPackages === '' ? [...made.roots] : [...made.roots, `${root}/packages.d.ts`]),
      getScriptVersion: (file) => (file === `${root}/packages.d.ts` ? anyPackages : String(files.get(file.slice(root.length + 1))?.version ?? 0)),
      getScriptSnapshot(file) {
        const text = textOf(file);
        return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
      },
      getCurrentDirectory: () => root,
      getDefaultLibFileName: (given) => `${libraryFolder}/${ts.getDefaultLibFileName(given)}`,
      getProjectVersion: () => `${version}:${anyPackages}:${made.roots.length}:${key}`,
      directoryExists: isFolder,
      getDirectories: (folder) =>
        folder === root || folder.startsWith(`${root}/`) ? entriesOf(folder).directories : [...(libraryFolders.get(folder.slice(1)) ?? [])],
    };
    const service = ts.createLanguageService(host, registry);
    services.set(key, Object.assign(made, { service }));
    return service;
  };
  const hasOwnNodeTypes = () => folders.has('node_modules/@types/node');
  const complete = (options: ts.CompilerOptions): ts.CompilerOptions => ({
    ...options,
    noEmit: true,
    skipLibCheck: true,
    incremental: false,
    composite: false,
    declaration: false,
    // Programs here run on Node: what it offers is known, as it would be with its declarations installed.
    ...(options.types === undefined && !hasOwnNodeTypes() ? { types: [...installedTypes(), 'node'] } : {}),
  });
  const installedTypes = (): readonly string[] => [...(folders.get('node_modules/@types') ?? [])];

  return {
    put(path, text) {
      const known = files.get(path);
      if (known?.text === text || (text === null && known === undefined)) return;
      version++;
      if (text !== null) {
        files.set(path, { text, version });
        if (known === undefined) note(folders, path);
      } else {
        files.delete(path);
        folders.clear();
        for (const left of files.keys()) note(folders, left);
      }
    },
    problems(paths, packagesUnknown) {
      anyPackages = packagesUnknown ? shorthandModules(files) : '';
      return paths.flatMap((path) => {
        if (!files.has(path)) return [];
        const service = serviceFor(path);
        const name = `${root}/${path}`;
        const found = [...service.getSyntacticDiagnostics(name), ...service.getSemanticDiagnostics(name)];
        return found.flatMap((one) => diagnosticOf(path, one)).sort((a, b) => a.line - b.line || a.column - b.column);
      });
    },
    paths: () => [...files.keys()],
    text: (path) => files.get(path)?.text,
  };
}

/** What holds where a workspace says nothing: modules as browsers and Node read them. */
const ownOptions: ts.CompilerOptions = {
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.Preserve,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  jsx: ts.JsxEmit.Preserve,
  allowJs: true,
  allowImportingTsExtensions: true,
  strict: true,
};

function diagnosticOf(path: string, { file, start, category, code, messageText }: ts.Diagnostic): readonly Diagnostic[] {
  if (category !== ts.DiagnosticCategory.Error && category !== ts.DiagnosticCategory.Warning) return [];
  const place = file === undefined ? { line: 0, character: 0 } : file.getLineAndCharacterOfPosition(start ?? 0);
  return [
    {
      path,
      line: place.line + 1,
      column: place.character + 1,
      severity: category === ts.DiagnosticCategory.Error ? 'error' : 'warning',
      code: `TS${code}`,
      message: ts.flattenDiagnosticMessageText(messageText, ' '),
    },
  ];
}

/** Every package that is imported by name, as a module that may be anything. */
function shorthandModules(files: ReadonlyMap<string, { readonly text: string }>): string {
  const names = new Set<string>();
  for (const [path, { text }] of files)
    if (sourceEnding.test(path))
      for (const { fileName } of ts.preProcessFile(text, true, true).importedFiles)
        if (/^[@\w]/.test(fileName) && !fileName.startsWith('node:')) names.add(fileName);
  return [...names]
    .sort()
    .map((name) => `declare module ${JSON.stringify(name)};`)
    .join('\n');
}

/** Notes a path under each folder above it. */
function note(folders: Map<string, Set<string>>, path: string): void {
  for (let below = path; below !== ''; below = parentOf(below)) {
    const folder = parentOf(below);
    const entries = folders.get(folder) ?? new Set<string>();
    folders.set(folder, entries.add(below.slice(folder === '' ? 0 : folder.length + 1)));
  }
}

function foldersOf(paths: readonly string[]): ReadonlyMap<string, ReadonlySet<string>> {
  const folders = new Map<string, Set<string>>();
  for (const path of paths) note(folders, path);
  return folders;
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}
