import { exitCodeEnding } from '@/lib/practice/read-result';
import type { PlacedCall } from './story';

/** The exit code of a command that ran to its end, which `exec_shell` names unless it is 0; undefined when it did not. */
export function exitCodeOf(call: PlacedCall): number | undefined {
  if (call.status !== 'ok' && call.status !== 'failed') return undefined;
  const named = exitCodeEnding.exec(call.text)?.[1];
  if (named !== undefined) return Number(named);
  return call.status === 'ok' ? 0 : undefined;
}

/** The retrieval id that the cut marker names. */
export function refOf(call: PlacedCall): string | undefined {
  return /call retrieve_tool_result ref=(\S+) to view it/.exec(call.text)?.[1];
}
