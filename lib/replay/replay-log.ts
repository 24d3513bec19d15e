import type { ApprovalRequest, Mode } from '@/lib/contracts/approval';
import type { EngineEvent } from '@/lib/contracts/events';
import type { CallId } from '@/lib/contracts/ids';
import type { PlannedCallView, Repair } from '@/lib/contracts/plan';
import type { Decision, DecisionFacts, PolicyInForce, Standing, TraceEntry, Verdict } from '@/lib/contracts/policy';
import { decide } from '@/lib/policy/decide';
import { exactFingerprint } from '@/lib/policy/fingerprint';
import { canonicalJson } from '@/lib/shared/canonical-json';
import { isJsonObject, type Json, type JsonObject } from '@/lib/shared/json';
import { replayLoops } from './replay-loops';
import { createCallWatch, type OpenEnd } from './watch-calls';
import { createDeclaredWatch, type DeclaredFacts } from './watch-declared';
import { createGrantWatch } from './watch-grants';
import { createOutsideWatch } from './watch-outside';

/** plan: when the call came. reconsidered: a grant, a mode or a policy changed while its prompt was open. edited: the person changed its arguments. */
export type ReplayMoment = 'plan' | 'reconsidered' | 'edited';

/** One decision of a log, made again. */
export interface ReplayedDecision {
  readonly seq: number;
  readonly callId: CallId;
  readonly tool: string;
  readonly summary: string;
  readonly moment: ReplayMoment;
  /** As the log tells it. */
  readonly logged: Decision;
  /** As it is decided now, with the whole trace. */
  readonly now: Verdict;
  /** The decision is the same, and so is each rule with its evidence where the log holds them. */
  readonly same: boolean;
}

/** What the loop guard said of a call, asked again; told where it stopped the call, or would have. */
export interface ReplayedGuard {
  readonly seq: number;
  readonly callId: CallId;
  readonly tool: string;
  readonly summary: string;
  readonly moment: 'loop-guard';
  /** As the log tells it. */
  readonly logged: 'stopped' | 'passed';
  readonly now: 'stopped' | 'passed';
  readonly same: boolean;
  readonly trace: readonly TraceEntry[];
}

/** What was stopped before the guard and the policy were asked: a damaged or cut call, a wrong name. Told as the log tells it. */
export interface StoppedEarlier {
  readonly seq: number;
  readonly callId: CallId;
  readonly tool: string;
  readonly summary: string;
  readonly moment: 'stopped';
  readonly trace: readonly TraceEntry[];
}

/** An event that cannot stand where it stands in a log of this engine: a beginning that nothing allowed, a grant that nobody gave. */
export interface LogFault {
  readonly seq: number;
  readonly moment: 'log';
  readonly same: false;
  readonly words: string;
}

export type ReplayedCall = ReplayedDecision | ReplayedGuard | StoppedEarlier;
export type Replayed = ReplayedCall | LogFault;

export interface ReplayedLog {
  readonly replayed: readonly Replayed[];
  /** The log ends inside of a turn: its session still ran, or its end was cut off. */
  readonly open?: OpenEnd;
}

interface Known {
  readonly view: PlannedCallView;
  readonly facts: DecisionFacts;
  /** The call as it would run: the person may have edited it. */
  readonly input: JsonObject;
  readonly repairs: readonly Repair[];
}

/**
 * Makes every decision of one session's log again, from the log alone.
 *
 * In     `events` of one session, in order; `policy`: decides in the place of every policy that the log names. null = the starter policy. `declared`: by tools that are known
 *        here; calls of others are taken as the log tells them.
 * Out    the decisions in the order in which they were made, and what cannot have happened so. With `policy`, `same` is false where it decides otherwise.
 * Fails  never; an event that is missing, put in or moved shows as a decision that is not the same, or as a fault of the log.
 */
export function replayLog(events: readonly EngineEvent[], policy?: PolicyInForce | null, declared: DeclaredFacts = nothingDeclared): ReplayedLog {
  const replayed: Replayed[] = [];
  const { blocked: guard, halted } = replayLoops(events);
  const known = new Map<CallId, Known>();
  const prompts = new Map<string, ApprovalRequest>();
  const denials = new Set<string>();
  let mode: Mode = 'ask';
  let grants: ReadonlySet<string> = new Set();
  let inForce: PolicyInForce | undefined;
  const standing = (rules: PolicyInForce | undefined): Standing => ({ mode, grants, denials, ...(rules === undefined ? {} : { policy: rules }) });
  const decideAgain = ({ view: { tool }, input, repairs, facts }: Known, rules: PolicyInForce | undefined) =>
    decide({ tool, input, repairs, ...facts }, standing(rules));
  const calls = createCallWatch({
    decide(callId) {
      const call = known.get(callId);
      return call === undefined ? undefined : decideAgain(call, inForce).decision;
    },
    halts: (turnId) => halted.has(turnId),
  });
  const watches = [createGrantWatch(), createOutsideWatch(), createDeclaredWatch(declared)];
  const again = (seq: number, moment: ReplayMoment, call: Known, logged: Decision, trace?: readonly TraceEntry[]) => {
    const { view } = call;
    const now = decideAgain(call, policy === undefined ? inForce : (policy ?? undefined));
    const sameTrace = policy !== undefined || trace === undefined || canonicalJson(now.trace as unknown as Json) === canonicalJson(trace as unknown as Json);
    const { callId, tool, summary } = view;
    replayed.push({ seq, callId, tool, summary, moment, logged, now, same: now.decision === logged && sameTrace });
  };

  for (const event of events) {
    switch (event.type) {
      case 'session-start':
      case 'mode-change':
        mode = event.mode;
        break;
      case 'policy-change':
        inForce = event.status.inForce;
        break;
      case 'grants-change':
        grants = new Set(event.keys);
        break;
      case 'plan-end':
        for (const view of event.calls) {
          const { callId, tool, summary, facts, trace } = view;
          const loops = guard.get(callId);
          const wasStopped = view.decision === 'stopped' && trace.some((entry) => entry.decided && entry.rule === 'loop-guard');
          if (loops !== undefined && (loops || wasStopped)) {
            const said = (stopped: boolean) => (stopped ? 'stopped' : 'passed');
            replayed.push({
              seq: event.seq,
              callId,
              tool,
              summary,
              moment: 'loop-guard',
              logged: said(wasStopped),
              now: said(loops),
              same: loops === wasStopped,
              trace,
            });
          }
          if (facts === undefined) {
            if (loops === undefined || !wasStopped) replayed.push({ seq: event.seq, callId, tool, summary, moment: 'stopped', trace });
            continue;
          }
          const call = { view, facts, input: view.input, repairs: view.repairs };
          known.set(callId, call);
          again(event.seq, 'plan', call, loggedDecision(view), trace.slice(0, decidedLength(trace)));
        }
        break;
      case 'approval-start':
        prompts.set(event.request.approvalId, event.request);
        break;
      case 'approval-revise': {
        const call = known.get(event.callId);
        if (call !== undefined) again(event.seq, 'reconsidered', call, 'ask', event.trace);
        break;
      }
      case 'approval-end': {
        const { outcome } = event;
        const call = known.get(event.callId);
        if (call !== undefined && outcome.kind === 'covered') again(event.seq, 'reconsidered', call, outcome.decision);
        if (outcome.kind !== 'answered') break;
        if (call !== undefined && outcome.edited?.facts !== undefined) {
          // The person's own word lets an edited call pass unless a rule denies it.
          const { input, facts, deniedBy } = outcome.edited;
          const before = replayed.length;
          // What a person edited is not what was repaired.
          const edited = { ...call, facts, input, repairs: [] };
          known.set(event.callId, edited);
          again(event.seq, 'edited', edited, deniedBy === undefined ? 'allow' : 'deny');
          const made = replayed[before];
          if (made !== undefined && 'now' in made && made.logged === 'allow' && made.now.decision === 'ask') replayed[before] = { ...made, same: true };
        }
        const request = prompts.get(event.approvalId);
        if (outcome.choice === 'deny' && request !== undefined) denials.add(exactFingerprint(request.tool, isJsonObject(request.input) ? request.input : {}));
        break;
      }
      default:
    }
    for (const words of [calls, ...watches].flatMap((watch) => watch.see(event))) replayed.push({ seq: event.seq, moment: 'log', same: false, words });
  }
  const end = calls.left();
  return end === undefined ? { replayed } : { replayed, open: end };
}

const nothingDeclared: DeclaredFacts = () => undefined;

function loggedDecision(view: PlannedCallView): Decision {
  return view.decision === 'run' ? 'allow' : view.decision === 'ask' ? 'ask' : 'deny';
}

/** A refusal after the decision stands behind it in the trace. */
function decidedLength(trace: readonly TraceEntry[]): number {
  const at = trace.findIndex((entry) => entry.decided);
  return at === -1 ? trace.length : at + 1;
}
