import { defineTool } from '@/lib/contracts/tool-spec';
import { z } from '@/lib/contracts/zod';
import { CodedError } from '@/lib/shared/coded-error';
import { normalizeWorkspacePath, pathEscapeError } from '@/lib/shared/workspace-path';

const shownProblems = 200;

export const diagnostics = defineTool({
  name: 'diagnostics',
  description:
    'Finds problems without running anything: TypeScript and JavaScript as the compiler sees them with the settings of the workspace, and JSON. Use it before a test run, or to see all problems of a change; edits bring those of their own files by themselves. Returns one line a problem: path, line, column, code, message.',
  input: z.object({
    paths: z.array(z.string().min(1)).max(500).optional().describe('Files to look at, relative to the workspace; leave it out for every file of the workspace'),
  }),
  capabilities: ['read-only', 'sandboxable'],
  supportsParallel: true,
  // The compiler's first start and a large workspace take their time.
  timeoutMs: 120_000,
  validateInput: ({ paths }) => pathEscapeError(...(paths ?? [])),
  // The same question has another answer after each edit.
  isPolling: true,
  summarize: ({ paths }) => (paths === undefined ? 'every file' : paths.join(', ')).slice(0, 200),
  async execute({ paths }, context) {
    const wanted = paths?.map(normalizeWorkspacePath);
    const missing = wanted === undefined ? undefined : await firstMissing(wanted, context.files.stat);
    if (missing !== undefined) throw new CodedError('not-found', `There is no file ${missing}. Nothing was looked at; list_dir shows what is there.`);
    const { checked, found, leftOut } = await context.diagnose(wanted);
    const unknown = (wanted ?? []).filter((path) => !checked.includes(path));
    const lines = found
      .slice(0, shownProblems)
      .map((one) => `${one.path}:${one.line}:${one.column} ${one.severity} ${one.code}: ${one.message.replace(/\s+/g, ' ')}`);
    const head =
      checked.length === 0
        ? 'No file was looked at.'
        : `${found.length === 0 ? 'No problems' : found.length === 1 ? '1 problem' : `${found.length} problems`} in ${checked.length === 1 ? checked[0] : `${checked.length} files`}.`;
    const notes = [
      ...(found.length > lines.length ? [`… and ${found.length - lines.length} more. Send fewer paths to see them.`] : []),
      ...(unknown.length > 0 ? [`Not looked at, since only TypeScript, JavaScript and JSON are known: ${unknown.join(', ')}`] : []),
      ...(leftOut === undefined ? [] : [leftOut]),
    ];
    return { ok: true, content: [head, ...lines, ...notes].join('\n'), data: { problems: found.length, files: checked.length } };
  },
});

async function firstMissing(paths: readonly string[], stat: (path: string) => Promise<{ readonly kind: string } | undefined>): Promise<string | undefined> {
  for (const path of paths) if ((await stat(path))?.kind !== 'file') return path;
  return undefined;
}
