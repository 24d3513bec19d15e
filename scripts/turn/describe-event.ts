import type { EngineEvent } from '@/lib/contracts/events';

/** One event in words for a terminal; undefined for what a reader does not need. */
export function describeEvent(event: EngineEvent): string | undefined {
  switch (event.type) {
    case 'turn-start':
      return `> ${event.text}\n`;
    case 'text-delta':
      return event.text;
    case 'text-end':
      return '\n';
    case 'early-start':
      return `  ⚡ ${event.tool} ran early\n`;
    case 'plan-end':
      return event.calls.map((call) => `  · ${call.tool} ${call.summary} (${call.decision})\n`).join('');
    case 'approval-start':
      return `  ? ${event.request.title}: ${event.request.subject}\n`;
    case 'approval-end':
      return `  ${event.outcome.kind === 'answered' ? `answered: ${event.outcome.choice}` : event.outcome.kind}\n`;
    case 'call-settled':
      return `  = ${event.outcome.status} in ${Math.round(event.durationMs)} ms\n`;
    case 'result-cut':
      return `  ✂ ${event.totalBytes} bytes cut to ${event.keptBytes}${event.ref === undefined ? '' : `, kept as ${event.ref}`}\n`;
    case 'job-start':
      return `  ⏵ ${event.taskId} goes on in the background: ${event.command}\n`;
    case 'job-end':
      return `  ⏹ ${event.taskId} ${event.status}${event.exitCode === undefined ? '' : `, exit code ${event.exitCode}`}\n`;
    case 'notify':
      return `  ! ${event.title}${event.body === '' ? '' : `: ${event.body}`}\n`;
    case 'notice':
      return `  ! ${event.text}\n`;
    case 'turn-end':
      return `turn ${event.end}${event.reason === undefined ? '' : `: ${event.reason}`}\n`;
    default:
      return undefined;
  }
}
