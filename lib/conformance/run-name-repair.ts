import { resolveName } from '@/lib/registry/resolve-name';
import type { Json } from '@/lib/shared/json';
import { type Runner, refuseUnknown, strings, text } from './runner';

const STANDARD = {
  registered: [
    'apply_patch',
    'edit_file',
    'exec_shell',
    'exec_shell_wait',
    'fetch_url',
    'file_search',
    'git_diff',
    'git_status',
    'grep_files',
    'list_dir',
    'read_file',
    'retrieve_tool_result',
    'update_plan',
    'web_search',
    'write_file',
  ],
  mutating: ['apply_patch', 'edit_file', 'exec_shell', 'write_file', 'update_plan'],
};

/** Kind `name-repair`: the name ladder, with the registered names in both orders. */
export const runNameRepair: Runner = ({ input, expected }) => {
  refuseUnknown('input', input, ['requested', 'registered', 'mutating', 'set']);
  refuseUnknown('expected', expected, ['resolved', 'rung', 'suggestions']);
  if (input.set !== undefined && input.set !== 'standard') throw new Error('the only set is standard');
  const registered = input.set === undefined ? strings(input.registered) : STANDARD.registered;
  const mutating = new Set(input.set === undefined ? strings(input.mutating) : STANDARD.mutating);
  const requested = text(input.requested);
  const there = resolveName(requested, registered, mutating);
  const back = resolveName(requested, [...registered].reverse(), mutating);
  if (JSON.stringify(there) !== JSON.stringify(back)) return { inOrder: there as unknown as Json, inReverse: back as unknown as Json };
  return there as unknown as Json;
};
