import { defineTool } from '@/lib/contracts/tool-spec';
import { z } from '@/lib/contracts/zod';
import { countOf, oneLine } from '@/lib/shared/text-lines';

const input = z.object({
  message: z.string().max(20_000).describe('The commit message: a short subject line, then an empty line and the reasons where they are needed.'),
});

export const gitCommit = defineTool({
  name: 'git_commit',
  description:
    'Commits what is staged to the history of the workspace. Use it only when the person asked for a commit, after git_add has staged what belongs to it and the tests pass. It pushes nothing anywhere. Returns the id of the commit and what it holds.',
  input,
  capabilities: ['writes-files', 'requires-approval', 'sandboxable'],
  title: 'Commit what is staged',
  deferLoading: true,
  validateInput: ({ message }) =>
    message.trim() === '' ? { kind: 'invalid-input', message: 'message is empty. Send a line that says what the commit changes and why.' } : undefined,
  pathsFor: () => ({ places: ['.git/HEAD', '.git/index'] }),
  summarize: ({ message }) => oneLine(message),
  async execute({ message }, context) {
    const { id, branch, paths } = await context.git.commit(message);
    return {
      ok: true,
      content: `Committed ${id.slice(0, 7)} on ${branch ?? 'no branch (detached)'}: ${countOf(paths.length, 'file')} (${oneLine(paths.map(({ path, index }) => `${index ?? 'changed'} ${path}`).join(', '), 400)}).`,
      data: { id, files: paths.length },
    };
  },
});
