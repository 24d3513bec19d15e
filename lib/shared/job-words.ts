import { countOf, formatBytes } from './text-lines';

/** What has to be known of a look at a background command to put it in words. */
export interface LookWords {
  readonly taskId: string;
  readonly status: 'running' | 'completed' | 'failed' | 'killed' | 'timed-out';
  readonly exitCode?: number;
  readonly output: string;
  readonly lostBytes: number;
  readonly producedBytes: number;
  readonly runningMs: number;
  readonly stale: boolean;
  readonly ref?: string;
}

/** A look at a background command as the model reads it: what is new, then one line that says where it stands. */
export function lookText(look: LookWords): string {
  const { taskId, output, lostBytes, stale, producedBytes, ref } = look;
  const lost =
    lostBytes > 0
      ? `[${formatBytes(lostBytes)} before this were not kept${stale ? ': the task was forgotten to make room, only its last bytes are known' : ''}]\n`
      : '';
  const fresh = output === '' ? '' : output.endsWith('\n') ? output : `${output}\n`;
  const silent = output === '' && lostBytes === 0 ? ', nothing new' : '';
  const earlier = ref === undefined ? '' : ` Full output saved; call retrieve_tool_result ref=${ref} to view it.`;
  return `${lost}${fresh}[${taskId} ${standing(look)}${silent}; ${formatBytes(producedBytes)} written in all.${earlier}]`;
}

function standing({ status, exitCode, runningMs }: LookWords): string {
  const seconds = Math.round(runningMs / 1000);
  const time = seconds < 120 ? countOf(seconds, 'second') : countOf(Math.round(seconds / 60), 'minute');
  switch (status) {
    case 'running':
      return `is running for ${time}`;
    case 'completed':
      return `has ended after ${time}: exit code 0`;
    case 'failed':
      return `has ended after ${time}: exit code ${exitCode ?? 'unknown'}`;
    case 'killed':
      return `was cancelled after ${time}`;
    case 'timed-out':
      return `was stopped by its timeout after ${time}`;
  }
}
