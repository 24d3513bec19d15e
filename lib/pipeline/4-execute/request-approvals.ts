import type { ApprovalChoice, ApprovalRequest, EditedCall } from '@/lib/contracts/approval';
import type { Clock } from '@/lib/contracts/clock';
import type { ToolDispatcher } from '@/lib/contracts/dispatcher';
import type { AgentId, ApprovalId, CallId, NewId, StepId, TurnId } from '@/lib/contracts/ids';
import type { FileChange, SlotOutcome } from '@/lib/contracts/outcome';
import type { PlannedCall } from '@/lib/contracts/plan';
import type { PolicyDifference, Standing, TraceEntry, Verdict } from '@/lib/contracts/policy';
import type { ToolContext } from '@/lib/contracts/tool-context';
import { callFacts } from '@/lib/pipeline/2-plan/call-facts';
import type { OutsideTracker } from '@/lib/pipeline/2-plan/outside-bytes';
import { verdictFor } from '@/lib/pipeline/2-plan/plan';
import { decide } from '@/lib/policy/decide';
import { grantKey } from '@/lib/policy/grant-key';
import { grantWords } from '@/lib/policy/grant-words';
import { partGrants } from '@/lib/policy/grants-for';
import type { JsonObject } from '@/lib/shared/json';
import type { Stop } from '@/lib/shared/stop';
import type { ApprovalDesk } from './approval-desk';
import type { ObservedFiles } from './observed-files';

export interface RequestPorts {
  readonly desk: ApprovalDesk;
  readonly dispatcher: ToolDispatcher;
  readonly standing: Standing;
  readonly outside?: Pick<OutsideTracker, 'find'> | undefined;
  readonly observed: ObservedFiles;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly turnId: TurnId;
  readonly stepId: StepId;
  /** Absent = the agent of the turn. */
  readonly agent?: AgentId | undefined;
  readonly stop: Stop;
  readonly promptFacts: PromptFacts;
  makeContext(callId: CallId, stop: Stop, tool: string): ToolContext;
}

/** What a card says beyond the call itself. */
export interface PromptFacts {
  /** Of an external tool: the definition that an approval is bound to. */
  definitionOf(tool: string): string | undefined;
  /** An approval under this key is remembered and does not apply, since the tool's definition changed. */
  isSuspended(key: string): boolean;
  /** How many other calls of the session an approval under this key would have covered. */
  wouldHaveCovered(key: string, callId: CallId): number;
  /** What the changes would do to the policy; undefined = they leave it alone. */
  policyDifference(changes: readonly FileChange[]): PolicyDifference | undefined;
}

/**
 * Opens the prompts of a step, side by side, in call order.
 *
 * Out    outcomes of calls that need no prompt because they would be refused anyway (a file that was not read): a person is
 *        not asked for what cannot run. Calls whose file an earlier call of the step may still read or write are asked all the same.
 *        `again`: a closed tab cut the prompts off, and they are asked again whatever the rules say now.
 */
export async function requestApprovals(planned: readonly PlannedCall[], ports: RequestPorts, again = false): Promise<ReadonlyMap<CallId, SlotOutcome>> {
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
      else await openPrompt(call, ports, again);
    }
    for (const path of [...paths.reads, ...paths.writes]) touched.add(path);
  }
  return refused;
}

async function openPrompt(call: PlannedCall, ports: RequestPorts, again: boolean): Promise<void> {
  const { tool, input } = call;
  const { callId } = call.call;
  const changes = await ports.dispatcher.previewChanges(tool, input, ports.makeContext(callId, ports.stop, tool));
  if (ports.stop.stopped) return;
  // A grant or a mode may have come while the preview was made.
  const verdict = again ? call.verdict : verdictFor(call, ports);
  const policyDifference = ports.promptFacts.policyDifference(changes);
  if (verdict.decision !== 'ask') return ports.desk.pass(callId, { kind: 'covered', decision: verdict.decision, ...deniedBy(verdict) });
  const outside = ports.outside?.find(input) ?? [];
  ports.desk.open(
    {
      approvalId: ports.newId<ApprovalId>('approval'),
      callId,
      turnId: ports.turnId,
      stepId: ports.stepId,
      ...(ports.agent === undefined ? {} : { agent: ports.agent }),
      tool,
      title: titleOf(call, ports.dispatcher),
      subject: subjectOf(call),
      input,
      changes,
      repairs: call.repairs,
      ...(outside.length === 0 ? {} : { outside }),
      trace: verdict.trace,
      ...(verdict.parts === undefined ? {} : { parts: verdict.parts }),
      ...(policyDifference === undefined ? {} : { policyDifference }),
      ...grantFacts(call, verdict, ports.promptFacts),
      openedAt: ports.clock.now(),
    },
    { decideAgain: () => verdictFor(call, ports), edit: (edited) => editCall(call, edited, ports) },
  );
}

type GrantFacts = Pick<ApprovalRequest, 'choices' | 'grantCovers' | 'partCovers' | 'wouldHaveCovered' | 'definition' | 'definitionChanged'>;

/** What could be remembered for this call, and what that would let through. */
function grantFacts({ call, tool, input }: PlannedCall, { parts = [] }: Verdict, facts: PromptFacts): GrantFacts {
  const key = grantKey(tool, input);
  const definition = facts.definitionOf(tool);
  const bound = definition === undefined ? {} : { definition };
  const covers = grantWords(tool, input);
  if (key === undefined || covers === undefined) return { choices: ['once', 'deny', 'stop'], grantCovers: 'nothing: this call cannot be remembered', ...bound };
  const choices: ApprovalChoice[] = ['once', 'session', 'always', 'deny', 'stop'];
  const one = { choices, grantCovers: covers, wouldHaveCovered: facts.wouldHaveCovered(key, call.callId), ...bound };
  const withChange = facts.isSuspended(key) ? { ...one, definitionChanged: true as const } : one;
  if (parts.length < 2 || tool !== 'exec_shell') return withChange;
  const known = new Map(partGrants(input).map((part) => [`${part.from} ${part.to} ${part.text}`, part.key === undefined ? null : part.covers]));
  return { ...withChange, partCovers: parts.map((part) => known.get(`${part.from} ${part.to} ${part.text}`) ?? null) };
}

/** Arguments that the person edited are checked like any others; a repair of the old ones says nothing about them. */
function editCall({ tool }: PlannedCall, edited: JsonObject, ports: RequestPorts): EditedCall | { readonly problem: string } {
  const valid = ports.dispatcher.validateInput(tool, edited);
  if (!valid.ok) return { problem: valid.error.message };
  const call = callFacts({ tool, input: valid.input, repairs: [] }, ports.dispatcher, ports.outside);
  const { tool: _, input, repairs, ...facts } = call;
  return { input, summary: ports.dispatcher.summarize(tool, input), facts, ...deniedBy(decide(call, ports.standing)) };
}

function deniedBy({ decision, trace }: Verdict): { readonly deniedBy?: TraceEntry } {
  const entry = decision === 'deny' ? trace.find(({ decided }) => decided) : undefined;
  return entry === undefined ? {} : { deniedBy: entry };
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
