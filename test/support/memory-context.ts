import type { DiagnosticsReport } from '@/lib/contracts/diagnostics';
import type { GitPort } from '@/lib/contracts/git';
import type { NewId, SpillRef } from '@/lib/contracts/ids';
import type { ShellJobs } from '@/lib/contracts/job';
import type { WebRequest, WebResponse } from '@/lib/contracts/network';
import type { ToolResult } from '@/lib/contracts/outcome';
import type { PersonQuestion, QuestionOutcome } from '@/lib/contracts/question';
import type { SpillRecord } from '@/lib/contracts/store';
import type { CommandRequest, CommandResult, PlanStep, SearchMatch, SearchRequest, ToolContext, WriteFiles } from '@/lib/contracts/tool-context';
import type { ToolSpec } from '@/lib/contracts/tool-spec';
import type { UndoPort } from '@/lib/contracts/undo';
import { decodeUtf8, encodeUtf8 } from '@/lib/shared/bytes';
import { CodedError } from '@/lib/shared/coded-error';
import { createGlob } from '@/lib/shared/glob';
import type { Json } from '@/lib/shared/json';
import { splitLines } from '@/lib/shared/text-lines';
import { normalizeWorkspacePath } from '@/lib/shared/workspace-path';

export interface MemoryContextOptions {
  /** Path → content; a path that ends in `/` is an empty folder. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  readonly spills?: readonly SpillRecord[];
  readonly run?: (request: CommandRequest) => CommandResult;
  readonly jobs?: ShellJobs;
  readonly fetchWeb?: (request: WebRequest) => Promise<WebResponse>;
  readonly git?: GitPort;
  readonly undo?: UndoPort;
  readonly diagnose?: (paths: readonly string[] | undefined) => DiagnosticsReport;
  /** The person. Default: nobody answers. */
  readonly answer?: (questions: readonly PersonQuestion[]) => QuestionOutcome;
  /** Default: every call is asked for. */
  readonly explain?: ToolContext['explain'];
  /** Writing methods throw `permission-denied`. */
  readonly readOnly?: boolean;
}

export interface MemoryContext {
  readonly context: ToolContext;
  readonly plans: { readonly steps: readonly PlanStep[]; readonly explanation: string | undefined }[];
  readonly commands: CommandRequest[];
  readonly notifications: { readonly title: string; readonly body: string }[];
  /** Content of a file as text; undefined when there is none. */
  text(path: string): string | undefined;
  bytes(path: string): Uint8Array | undefined;
  paths(): readonly string[];
}

/** A tool context over a map of files: for tests of tools alone. */
export function createMemoryContext(options: MemoryContextOptions = {}): MemoryContext {
  const contents = new Map<string, Uint8Array>();
  const folders = new Set<string>(['']);
  const addParents = (path: string) => {
    for (let slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1)) folders.add(path.slice(0, slash));
  };
  for (const [path, content] of Object.entries(options.files ?? {})) {
    addParents(path);
    if (!path.endsWith('/')) contents.set(path, typeof content === 'string' ? encodeUtf8(content) : content);
  }
  const files = createFiles(contents, folders, addParents, options.readOnly ?? false);
  const plans: MemoryContext['plans'] = [];
  const commands: CommandRequest[] = [];
  const notifications: MemoryContext['notifications'] = [];
  const state = new Map<string, Json>();
  let serial = 0;
  const context: ToolContext = {
    files,
    async runCommand(request) {
      commands.push(request);
      if (options.run === undefined) throw new CodedError('permission-denied', 'this context runs no commands');
      return options.run(request);
    },
    search: async (request) => searchLines(request),
    async fetchWeb(request) {
      if (options.fetchWeb === undefined) throw new CodedError('not-available', 'this context has no network');
      return options.fetchWeb(request);
    },
    readSpill: async (ref: SpillRef) => options.spills?.find((record) => record.ref === ref),
    showPlan: (steps, explanation) => void plans.push({ steps, explanation }),
    jobs: options.jobs ?? noJobs,
    git: options.git ?? noHistory,
    callTool: async (name) => ({ ok: false, error: 'not-available', content: `There is no tool named ${name}.` }),
    undo: options.undo ?? noUndo,
    diagnose: async (paths) => options.diagnose?.(paths) ?? { checked: paths ?? [], found: [] },
    askPerson: async (questions) => options.answer?.(questions) ?? { kind: 'dismissed' },
    explain: options.explain ?? ((tool) => ({ tool, decision: 'ask', level: 'required', mode: 'ask', policy: 'starter', trace: [] })),
    notify: (title, body) => void notifications.push({ title, body }),
    state: { get: (key) => state.get(key), set: (key, value) => void state.set(key, value) },
    now: () => 0,
    newId: ((kind: string) => `${kind}-${serial++}`) as NewId,
    signal: new AbortController().signal,
  };
  return {
    context,
    plans,
    commands,
    notifications,
    text: (path) => {
      const bytes = contents.get(path);
      return bytes === undefined ? undefined : decodeUtf8(bytes);
    },
    bytes: (path) => contents.get(path),
    paths: () => [...contents.keys()].sort(),
  };
}

const absent = (what: string) => async (): Promise<never> => {
  throw new CodedError('not-available', `this context has no ${what}`);
};
const noJobs: ShellJobs = { start: absent('tasks'), look: absent('tasks'), input: absent('tasks'), cancel: absent('tasks'), running: () => [] };
const noUndo: UndoPort = { list: () => [], revert: absent('undo'), preview: absent('undo') };
const noHistory: GitPort = { status: absent('history'), diff: absent('history'), log: absent('history'), add: absent('history'), commit: absent('history') };

/** Checks `input` as the registry does, then runs the tool. */
export async function runTool(tool: ToolSpec, input: unknown, context: ToolContext): Promise<ToolResult> {
  const parsed = tool.input.parse(input) as never;
  const problem = tool.validateInput?.(parsed);
  if (problem !== undefined) throw new CodedError(problem.kind, problem.message);
  return tool.execute(parsed, context);
}

function createFiles(contents: Map<string, Uint8Array>, folders: Set<string>, addParents: (path: string) => void, readOnly: boolean): WriteFiles {
  const mayWrite = () => {
    if (readOnly) throw new CodedError('permission-denied', 'this context writes nothing');
  };
  const readBytes = async (asked: string) => {
    const path = normalizeWorkspacePath(asked);
    if (folders.has(path)) throw new CodedError('is-directory', `${path} is a folder`);
    const bytes = contents.get(path);
    if (bytes === undefined) throw new CodedError('not-found', `there is no ${path}`);
    return bytes;
  };
  const writeBytes = async (asked: string, bytes: Uint8Array) => {
    const path = normalizeWorkspacePath(asked);
    mayWrite();
    addParents(path);
    contents.set(path, bytes.slice());
  };
  return {
    readBytes,
    readText: async (path) => decodeUtf8(await readBytes(path)),
    async readDirectory(asked) {
      const path = normalizeWorkspacePath(asked);
      if (!folders.has(path)) throw new CodedError(contents.has(path) ? 'not-a-directory' : 'not-found', `there is no folder ${path}`);
      const prefix = path === '' ? '' : `${path}/`;
      const child = (entry: string) => entry !== '' && entry.startsWith(prefix) && !entry.slice(prefix.length).includes('/');
      return [
        ...[...folders].filter(child).map((entry) => ({ name: entry.slice(prefix.length), kind: 'directory' as const })),
        ...[...contents.keys()].filter(child).map((entry) => ({ name: entry.slice(prefix.length), kind: 'file' as const })),
      ].sort((a, b) => (a.name < b.name ? -1 : 1));
    },
    async stat(asked) {
      const path = normalizeWorkspacePath(asked);
      if (folders.has(path)) return { kind: 'directory', size: 0, modifiedAtMs: 0 };
      const bytes = contents.get(path);
      return bytes === undefined ? undefined : { kind: 'file', size: bytes.length, modifiedAtMs: 0 };
    },
    async listFiles({ path: asked = '', includeIgnored = false, includeHidden = false } = {}) {
      const path = normalizeWorkspacePath(asked);
      const ignored = ignoreRules(decodeUtf8(contents.get('.gitignore') ?? new Uint8Array()));
      return [...contents.keys()]
        .filter((file) => path === '' || file === path || file.startsWith(`${path}/`))
        .filter((file) => file !== '.git' && !file.startsWith('.git/'))
        .filter(
          (file) =>
            includeHidden ||
            !file
              .slice(path.length)
              .split('/')
              .some((part) => part.startsWith('.')),
        )
        .filter((file) => includeIgnored || !ignored(file))
        .sort();
    },
    writeBytes,
    writeText: (path, text) => writeBytes(path, encodeUtf8(text)),
    async makeDirectory(asked) {
      const path = normalizeWorkspacePath(asked);
      mayWrite();
      addParents(`${path}/`);
    },
    async move(asked, target) {
      const [from, to] = [normalizeWorkspacePath(asked), normalizeWorkspacePath(target)];
      mayWrite();
      if (!contents.has(from) && !folders.has(from)) throw new CodedError('not-found', `there is no ${from}`);
      addParents(to);
      const moved = (path: string) => to + path.slice(from.length);
      for (const folder of [...folders].filter((path) => path === from || path.startsWith(`${from}/`))) {
        folders.delete(folder);
        folders.add(moved(folder));
      }
      for (const [path, bytes] of [...contents].filter(([file]) => file === from || file.startsWith(`${from}/`))) {
        contents.delete(path);
        contents.set(moved(path), bytes);
      }
    },
    async remove(asked) {
      const path = normalizeWorkspacePath(asked);
      mayWrite();
      if (!contents.has(path) && !folders.has(path)) throw new CodedError('not-found', `there is no ${path}`);
      for (const kept of [contents, folders]) for (const entry of [...kept.keys()]) if (entry === path || entry.startsWith(`${path}/`)) kept.delete(entry);
    },
  };
}

/** The root `.gitignore` only, without negation: what tests of tools need. */
function ignoreRules(text: string): (path: string) => boolean {
  const globs = splitLines(text)
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => createGlob(line.replace(/\/$/, '')));
  return (path) => {
    const parts = path.split('/');
    return parts.some((_, index) => globs.some((glob) => glob(parts.slice(0, index + 1).join('/'))));
  };
}

function searchLines({ pattern, flags, texts, maxMatches }: SearchRequest): readonly SearchMatch[] {
  const matches: SearchMatch[] = [];
  for (const { path, text } of texts) {
    for (const [index, line] of splitLines(text).entries()) {
      if (matches.length >= maxMatches) return matches;
      if (new RegExp(pattern, flags).test(line)) matches.push({ path, line: index + 1 });
    }
  }
  return matches;
}
