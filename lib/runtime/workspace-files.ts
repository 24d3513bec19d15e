import ignore, { type Ignore } from 'ignore';
import type { DirectoryEntry, FileStat, Runtime } from '@/lib/contracts/runtime';
import type { WriteFiles } from '@/lib/contracts/tool-context';
import { decodeUtf8 } from '@/lib/shared/bytes';
import { CodedError, codeOf } from '@/lib/shared/coded-error';
import { boundedIgnoreLines } from '@/lib/shared/ignore-lines';
import { normalRuntimePath } from './embedded/program-path';

/** Rules of one `.gitignore`, for what lies below its folder. */
interface IgnoreRules {
  readonly folder: string;
  readonly rules: Ignore;
}

/**
 * The files of a runtime as tools see them: normal relative paths, parents made, `.gitignore` obeyed, `.git` never listed.
 *
 * Fails  as the runtime's files do; `path-escape` for a path that leaves the workspace.
 */
export function createWorkspaceFiles(runtime: Runtime): WriteFiles {
  const { fs } = runtime;

  const makeParent = async (path: string): Promise<void> => {
    const slash = path.lastIndexOf('/');
    if (slash > 0) await fs.mkdir(path.slice(0, slash), { recursive: true });
  };

  const write = async (path: string, data: Uint8Array | string): Promise<void> => {
    const normal = normalRuntimePath(path);
    if (normal === '') throw new CodedError('is-directory', 'The workspace root is a folder, not a file.');
    await makeParent(normal);
    await fs.writeFile(normal, data);
  };

  const rulesOf = async (folder: string): Promise<IgnoreRules | undefined> => {
    try {
      const text = decodeUtf8(await fs.readFile(join(folder, '.gitignore')));
      return { folder, rules: ignore().add(boundedIgnoreLines(text)) };
    } catch (error) {
      if (codeOf(error) === 'not-found' || codeOf(error) === 'is-directory') return undefined;
      throw error;
    }
  };

  const list = async (
    folder: string,
    above: readonly IgnoreRules[],
    options: { readonly ignored: boolean; readonly hidden: boolean },
  ): Promise<readonly string[]> => {
    const entries = await fs.readdir(folder);
    const own = options.ignored || !entries.some((entry) => entry.name === '.gitignore') ? undefined : await rulesOf(folder);
    const rules = own ? [...above, own] : above;
    const kept = entries.filter((entry) => {
      if (entry.name === '.git' || (!options.hidden && entry.name.startsWith('.'))) return false;
      return options.ignored || !isIgnored(join(folder, entry.name), entry.kind, rules);
    });
    const found = await Promise.all(
      kept.map((entry) => (entry.kind === 'directory' ? list(join(folder, entry.name), rules, options) : [join(folder, entry.name)])),
    );
    return found.flat();
  };

  return {
    async readBytes(path: string): Promise<Uint8Array> {
      return fs.readFile(normalRuntimePath(path));
    },
    async readText(path: string): Promise<string> {
      return decodeUtf8(await fs.readFile(normalRuntimePath(path)));
    },
    async readDirectory(path: string): Promise<readonly DirectoryEntry[]> {
      return (await fs.readdir(normalRuntimePath(path))).filter((entry) => entry.name !== '.git');
    },
    async stat(path: string): Promise<FileStat | undefined> {
      return fs.stat(normalRuntimePath(path));
    },
    async listFiles(options: { readonly path?: string; readonly includeIgnored?: boolean; readonly includeHidden?: boolean } = {}): Promise<readonly string[]> {
      const start = normalRuntimePath(options.path ?? '');
      if (start.split('/').includes('.git')) return [];
      const stat = await fs.stat(start);
      if (stat === undefined) throw new CodedError('not-found', `${JSON.stringify(start)} does not exist.`);
      if (stat.kind === 'file') return [start];
      const ignored = options.includeIgnored ?? false;
      const above: IgnoreRules[] = [];
      for (const folder of ignored ? [] : foldersAbove(start)) {
        const rules = await rulesOf(folder);
        if (rules) above.push(rules);
        const next = start.slice(0, start.indexOf('/', folder.length + 1) < 0 ? start.length : start.indexOf('/', folder.length + 1));
        if (isIgnored(next, 'directory', above)) return [];
      }
      return [...(await list(start, above, { ignored, hidden: options.includeHidden ?? false }))].sort((a, b) => (a < b ? -1 : 1));
    },
    writeText: write,
    writeBytes: write,
    async makeDirectory(path: string): Promise<void> {
      await fs.mkdir(normalRuntimePath(path), { recursive: true });
    },
    async move(from: string, to: string): Promise<void> {
      const target = normalRuntimePath(to);
      await makeParent(target);
      await fs.rename(normalRuntimePath(from), target);
    },
    async remove(path: string): Promise<void> {
      await fs.rm(normalRuntimePath(path), { recursive: true });
    },
  };
}

/** The nearest file that says something about the path decides, as in git. */
function isIgnored(path: string, kind: DirectoryEntry['kind'], rules: readonly IgnoreRules[]): boolean {
  for (const { folder, rules: own } of [...rules].reverse()) {
    const relative = folder === '' ? path : path.slice(folder.length + 1);
    const verdict = own.test(kind === 'directory' ? `${relative}/` : relative);
    if (verdict.ignored) return true;
    if (verdict.unignored) return false;
  }
  return false;
}

/** '' and every folder between it and `path`, without `path` itself. */
function foldersAbove(path: string): readonly string[] {
  if (path === '') return [];
  const segments = path.split('/');
  return segments.map((_, i) => segments.slice(0, i).join('/'));
}

function join(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}
