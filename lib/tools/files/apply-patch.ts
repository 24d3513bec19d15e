import type { FileChange } from '@/lib/contracts/outcome';
import type { ToolContext } from '@/lib/contracts/tool-context';
import { defineTool } from '@/lib/contracts/tool-spec';
import { z } from '@/lib/contracts/zod';
import { applyHunks } from '@/lib/shared/apply-hunks';
import { encodeUtf8 } from '@/lib/shared/bytes';
import { CodedError, messageOf } from '@/lib/shared/coded-error';
import { diffText } from '@/lib/shared/file-change';
import { identifyBytes } from '@/lib/shared/file-kind';
import { countDiff, diffLines } from '@/lib/shared/line-diff';
import { missingPathMessage } from '@/lib/shared/missing-path';
import { type PatchFile, parsePatch } from '@/lib/shared/parse-patch';
import { countOf, oneLine, splitLines } from '@/lib/shared/text-lines';
import { normalizeWorkspacePath, pathEscapeError, spellPath } from '@/lib/shared/workspace-path';

const FAILURES_SHOWN = 5;

const input = z.object({
  patch: z.string().min(1).describe('A unified diff over one or more files, with the lines around each change; /dev/null stands for a file that is not there.'),
});

/** Content of a file before and after; null = it is not there. */
interface Planned {
  readonly path: string;
  readonly before: Uint8Array | null;
  readonly after: Uint8Array | null;
}

export const applyPatch = defineTool({
  name: 'apply_patch',
  description:
    'Changes, adds, deletes and renames any number of files by one unified diff, all or nothing: when one hunk does not fit, no file is touched. Use it for changes that belong together in several places or files; for one small change use edit_file. Files that are changed or deleted must have been read with read_file first and not have changed since. Line numbers may be off, the old lines have to be exact. Returns what was done to each file; a hunk that fails is shown with what the file has there.',
  input,
  capabilities: ['writes-files', 'sandboxable'],
  validateInput({ patch }) {
    try {
      const paths = parsePatch(patch).flatMap((file) => (file.kind === 'rename' ? [file.from, file.path] : [file.path]));
      return pathEscapeError(...paths);
    } catch (error) {
      return { kind: 'invalid-input', message: messageOf(error) };
    }
  },
  pathsFor({ patch }) {
    const files = parsePatch(patch);
    const read = files.filter((file) => file.kind !== 'rename' || file.hunks.length > 0);
    const moved = files.flatMap((file) => (file.kind === 'rename' ? [file.from, file.path] : []));
    return {
      writes: [...new Set(read.map((file) => spellPath(file.kind === 'rename' ? file.from : file.path)))],
      ...(moved.length === 0 ? {} : { places: moved.map(spellPath) }),
    };
  },
  summarize: ({ patch }) => oneLine(namesIn(patch).join(', ')),
  previewChanges: async ({ patch }, context) => changesOf(await plan(patch, context)),
  async execute({ patch }, context) {
    const planned = await plan(patch, context);
    await write(planned, context);
    const changes = changesOf(planned);
    return {
      ok: true,
      content: [`Patched ${countOf(planned.length, 'file')}:`, ...planned.map(line)].join('\n'),
      data: { files: planned.map(({ path }) => path) },
      changes,
    };
  },
});

function namesIn(patch: string): readonly string[] {
  try {
    return parsePatch(patch).map((file) => (file.kind === 'rename' ? `${file.from} → ${file.path}` : file.path));
  } catch {
    return [patch];
  }
}

/** Every file as it would be; throws with all that does not fit. */
async function plan(patch: string, context: ToolContext): Promise<readonly Planned[]> {
  const before = new Map<string, Uint8Array | null>();
  const after = new Map<string, Uint8Array | null>();
  const current = async (path: string): Promise<Uint8Array | null> => {
    const known = after.get(path);
    if (known !== undefined) return known;
    const bytes = await readFile(path, context);
    before.set(path, bytes);
    after.set(path, bytes);
    return bytes;
  };
  const problems: string[] = [];
  for (const file of parsePatch(patch)) {
    const problem = await planFile(file, current, after, context);
    if (problem !== undefined) problems.push(problem);
  }
  if (problems.length > 0) {
    const rest = problems.length - FAILURES_SHOWN;
    throw new CodedError(
      'execution-failed',
      ['The patch was not applied; no file was changed.', ...problems.slice(0, FAILURES_SHOWN), ...(rest > 0 ? [`… and ${rest} more problems.`] : [])].join(
        '\n',
      ),
    );
  }
  const planned = [...after].map(([path, bytes]) => ({ path, before: before.get(path) ?? null, after: bytes }));
  return planned.filter((one) => !sameBytes(one.before, one.after)).sort((a, b) => (a.path < b.path ? -1 : 1));
}

async function planFile(
  file: PatchFile,
  current: (path: string) => Promise<Uint8Array | null>,
  after: Map<string, Uint8Array | null>,
  context: ToolContext,
): Promise<string | undefined> {
  const path = normalizeWorkspacePath(file.path);
  const source = file.kind === 'rename' ? normalizeWorkspacePath(file.from) : path;
  const bytes = await current(source);
  if (file.kind === 'add' || file.kind === 'rename') {
    const occupied = file.kind === 'add' ? bytes : await current(path);
    if (occupied !== null)
      return `${path}: it is there already, and the patch would ${file.kind === 'add' ? 'add' : 'rename to'} it. Nothing is overwritten that way; patch the file itself.`;
  }
  if (file.kind === 'add') {
    const made = applyHunks(path, '', file.hunks);
    if (!made.ok) return made.message;
    after.set(path, encodeUtf8(made.text));
    return undefined;
  }
  if (bytes === null) return `${source}: ${missingPathMessage(source, await context.files.listFiles({ includeHidden: true }))}`;
  let fresh = bytes;
  if (file.hunks.length > 0) {
    const kind = identifyBytes(bytes);
    if (kind.kind !== 'text' || !kind.exact) return `${source}: it is not UTF-8 text throughout, so it cannot be patched.`;
    const made = applyHunks(source, kind.text, file.hunks);
    if (!made.ok) return made.message;
    if (file.kind === 'delete' && made.text !== '')
      return `${source}: the patch deletes it, but its hunks leave lines over. Read it again, and remove every line.`;
    fresh = encodeUtf8(kind.bom ? `\ufeff${made.text}` : made.text);
  }
  if (file.kind === 'rename') after.set(source, null);
  after.set(path, file.kind === 'delete' ? null : fresh);
  return undefined;
}

async function readFile(path: string, context: ToolContext): Promise<Uint8Array | null> {
  const stat = await context.files.stat(path);
  if (stat === undefined) return null;
  if (stat.kind === 'directory') throw new CodedError('is-directory', `${path} is a folder, and a patch names files. Nothing was changed.`);
  return context.files.readBytes(path);
}

/** Writes every file; what was written already is put back when one cannot be. */
async function write(planned: readonly Planned[], context: ToolContext): Promise<void> {
  const put = async (path: string, bytes: Uint8Array | null) => {
    if (bytes !== null) await context.files.writeBytes(path, bytes);
    else if ((await context.files.stat(path)) !== undefined) await context.files.remove(path);
  };
  const done: Planned[] = [];
  try {
    for (const one of planned) {
      done.push(one);
      await put(one.path, one.after);
    }
  } catch (error) {
    for (const one of done.reverse()) await put(one.path, one.before).catch(() => undefined);
    throw new CodedError('execution-failed', `The patch was not applied (${messageOf(error)}); what was written before that was put back.`);
  }
}

function changesOf(planned: readonly Planned[]): readonly FileChange[] {
  return planned.map(({ path, before, after }) => ({ path, before: diffText(before), after: diffText(after) }));
}

function line({ path, before, after }: Planned): string {
  const [old, fresh] = [linesOf(before), linesOf(after)];
  const { added, removed } = countDiff(diffLines(old, fresh));
  const what = before === null ? 'added' : after === null ? 'deleted' : 'changed';
  return `  ${what} ${path} (+${added} −${removed})`;
}

function linesOf(bytes: Uint8Array | null): readonly string[] {
  const kind = bytes === null ? undefined : identifyBytes(bytes);
  return kind?.kind === 'text' ? splitLines(kind.text) : [];
}

function sameBytes(a: Uint8Array | null, b: Uint8Array | null): boolean {
  if (a === null || b === null) return a === b;
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}
