import type { ApprovalChoice, ApprovalRequest } from '@/lib/contracts/approval';
import type { Clock } from '@/lib/contracts/clock';
import type { ToolDispatcher } from '@/lib/contracts/dispatcher';
import type { ApprovalId, CallId, NewId, StepId, TurnId } from '@/lib/contracts/ids';
import type { SlotOutcome } from '@/lib/contracts/outcome';
import type { PlannedCall } from '@/lib/contracts/plan';
import type { Standing } from '@/lib/contracts/policy';
import type { ToolContext } from '@/lib/contracts/tool-context';
import { verdictFor } from '@/lib/pipeline/2-plan/plan';
import { grantWords } from '@/lib/policy/grant-words';
import type { Stop } from '@/lib/shared/stop';
import type { ApprovalDesk } from './approval-desk';
import type { ObservedFiles } from './observed-files';

export interface RequestPorts {
  readonly desk: ApprovalDesk;
  readonly dispatcher: ToolDispatcher;
  readonly standing: Standing;
  readonly observed: ObservedFiles;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly turnId: TurnId;
  readonly stepId: StepId;
  readonly stop: Stop;
  makeContext(callId: CallId, stop: Stop): ToolContext;
}

/**
 * Opens the prompts of a step, side by side, in call order.
 *
 * Out    outcomes of calls that need no prompt because they would be refused anyway (a file that was not read): a person is
 *        not asked for what cannot run. Calls whose file an earlier call of the step may still read or write are asked all the same.
 */
export async function requestApprovals(planned: readonly PlannedCall[], ports: RequestPorts): Promise<ReadonlyMap<CallId, SlotOutcome>> {
  const refused = new Map<CallId, SlotOutcome>();
  if (!planned.some((call) => call.verdict.decision === 'ask')) return refused;
  const touched = new Set<string>();
  for (const call of planned) {
    if (call.stopped !== undefined) continue;
    const paths = ports.dispatcher.pathsFor(call.tool, call.input);
    if (call.verdict.decision === 'ask' && !ports.stop.stopped) {
      const reason = await ports.observed.refusal(
        call.tool,
        paths.writes.filter((path) => !touched.has(path)),
      );
      if (reason !== undefined) refused.set(call.call.callId, { status: 'refused', error: 'invalid-input', content: reason, started: false });
      else await openPrompt(call, ports);
    }
    for (const path of [...paths.reads, ...paths.writes]) touched.add(path);
  }
  return refused;
}

async function openPrompt(call: PlannedCall, ports: RequestPorts): Promise<void> {
  const { callId } = call.call;
  const changes = await ports.dispatcher.previewChanges(call.tool, call.input, ports.makeContext(callId, ports.stop));
  if (ports.stop.stopped) return;
  const covers = grantWords(call.tool, call.input);
  const choices: ApprovalChoice[] = covers === undefined ? ['once', 'deny', 'stop'] : ['once', 'session', 'deny', 'stop'];
  const request: ApprovalRequest = {
    approvalId: ports.newId<ApprovalId>('approval'),
    callId,
    turnId: ports.turnId,
    stepId: ports.stepId,
    tool: call.tool,
    title: titleOf(call, ports.dispatcher),
    subject: subjectOf(call),
    input: call.input,
    changes,
    repairs: call.repairs,
    trace: call.verdict.trace,
    ...(call.verdict.parts === undefined ? {} : { parts: call.verdict.parts }),
    choices,
    grantCovers: covers ?? 'nothing: this call cannot be remembered',
    openedAt: ports.clock.now(),
  };
  ports.desk.open(request, () => verdictFor(call, ports).decision);
}

/** A command is shown whole: what a summary leaves out would run all the same. */
function subjectOf({ tool, input, summary }: PlannedCall): string {
  if (tool === 'exec_shell' && typeof input.command === 'string') return typeof input.cwd === 'string' ? `${input.command}\n(in ${input.cwd})` : input.command;
  return summary === '' ? JSON.stringify(input, null, 2) : summary;
}

function titleOf(call: PlannedCall, dispatcher: ToolDispatcher): string {
  const metadata = dispatcher.metadata(call.tool);
  if (metadata?.title !== undefined) return metadata.title;
  const { writes, places = [] } = dispatcher.pathsFor(call.tool, call.input);
  const paths = [...writes, ...places];
  if (metadata?.result === 'shell') return 'Run a command in the shell';
  if (metadata?.capabilities.includes('executes-code')) return `Run code with ${call.tool}`;
  if (paths.length > 0) return `Change ${paths.length === 1 ? paths[0] : `${paths.length} files`}`;
  return `Use ${call.tool}`;
}
