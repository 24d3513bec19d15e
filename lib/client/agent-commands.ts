import { stepsOf } from './view-state';
import type { CallView, SessionView } from './view-types';

/** The calls that ran a command or streamed output, in call order. */
export function agentCommands(session: SessionView): readonly CallView[] {
  return session.items.flatMap((item) => (item.kind === 'turn' ? stepsOf(item.turn).flatMap((step) => step.calls.filter(isCommand)) : []));
}

function isCommand(call: CallView): boolean {
  const began = call.startedAt !== undefined || call.outcome?.started === true;
  return began && (call.output !== '' || typeof call.input?.['command'] === 'string');
}

/** The command line of a call, or its summary where it has none. */
export function commandLine(call: CallView): string {
  const command = call.input?.['command'];
  return typeof command === 'string' ? command : call.summary || call.tool;
}
