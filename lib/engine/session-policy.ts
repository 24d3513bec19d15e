import type { ToolDispatcher } from '@/lib/contracts/dispatcher';
import type { EngineEvent } from '@/lib/contracts/events';
import type { ApprovalId, CallId } from '@/lib/contracts/ids';
import type { FileChange } from '@/lib/contracts/outcome';
import type { PlannedCallView } from '@/lib/contracts/plan';
import type { Explanation, PolicyDifference, PolicyStatus } from '@/lib/contracts/policy';
import { callFacts } from '@/lib/pipeline/2-plan/call-facts';
import type { OutsideTracker } from '@/lib/pipeline/2-plan/outside-bytes';
import { decide } from '@/lib/policy/decide';
import { explain } from '@/lib/policy/explain';
import { narrowestRule, newRuleWords } from '@/lib/policy/make-rule';
import { comparePolicies } from '@/lib/policy/policy-difference';
import { isBroken, policyPath, readPolicyFile } from '@/lib/policy/policy-file';
import { withRule } from '@/lib/policy/policy-text';
import { canonicalJson } from '@/lib/shared/canonical-json';
import { CodedError, messageOf } from '@/lib/shared/coded-error';
import type { Json, JsonObject } from '@/lib/shared/json';
import type { Approvals } from './approvals';
import type { Recorder } from './recorder';
import { setPolicy } from './standing';
import type { WorkspacePolicy } from './workspace-policy';

/** What the policy is to one session: its log tells every change, open prompts are decided again, and past calls show what a change would do. */
export interface SessionPolicy {
  /** Says what decides where the log does not know it yet. */
  begin(): void;
  /** Sees every event of the session, for what the person allowed to be written. */
  see(event: EngineEvent): void;
  readonly refresh: () => Promise<void>;
  write(text: string | null): Promise<void>;
  accept(fingerprint: string): Promise<boolean>;
  difference(changes: readonly FileChange[]): PolicyDifference | undefined;
  compareWaiting(): Promise<PolicyDifference | undefined>;
  /** Adds the narrowest rule for a call of the session; answers it in words. Rejects with a CodedError that says why there is none. */
  addRule(callId: CallId): Promise<string>;
  readonly explain: (tool: string, input: JsonObject) => Explanation;
  close(): void;
}

export interface SessionPolicyParts {
  /** Grows. */
  readonly events: readonly EngineEvent[];
  readonly shared: WorkspacePolicy;
  readonly approvals: Pick<Approvals, 'standing' | 'desk'>;
  readonly recorder: Pick<Recorder, 'emit' | 'commit'>;
  readonly dispatcher: ToolDispatcher;
  readonly outside: Pick<OutsideTracker, 'find'>;
}

/** Calls that a comparison looks at, the newest. */
const COMPARED = 500;

export function createSessionPolicy({ events, shared, approvals, recorder, dispatcher, outside }: SessionPolicyParts): SessionPolicy {
  const { standing, desk } = approvals;
  let said: PolicyStatus = events.findLast((event) => event.type === 'policy-change')?.status ?? {};
  const shown = new Map<ApprovalId, string | null>();
  const allowed = new Map<CallId, () => void>();

  const sayStatus = (): boolean => {
    const status = shared.status();
    if (canonicalJson(status as unknown as Json) === canonicalJson(said as unknown as Json)) return false;
    const before = said;
    said = status;
    setPolicy(standing, status);
    recorder.emit({ type: 'policy-change', status });
    for (const text of newsIn(before, status)) recorder.emit({ type: 'notice', level: 'warning', ...text });
    return true;
  };
  const unsubscribe = shared.subscribe((unstored) => {
    const isNews = sayStatus();
    if (unstored !== undefined)
      recorder.emit({
        type: 'notice',
        level: 'warning',
        code: 'policy-not-stored',
        text: `That you accepted this policy could not be stored (${messageOf(unstored)}). It is in force while the page stays open; after a reload it waits for you again.`,
      });
    if (!isNews) return;
    void desk.redecide();
    void recorder.commit();
  });
  const pastCalls = () => {
    const views = events.flatMap((event) => (event.type === 'plan-end' ? event.calls : []));
    return views.slice(-COMPARED).map((view) => ({ callId: view.callId, summary: view.summary, facts: factsOf(view) }));
  };
  const factsOf = ({ tool, input, repairs, facts }: PlannedCallView) =>
    facts === undefined ? callFacts({ tool, input, repairs }, dispatcher, outside) : { tool, input, repairs, ...facts };
  const compare = (text: string | null) => comparePolicies(pastCalls(), standing, text === null ? undefined : readPolicyFile(text));

  return {
    begin: () => void sayStatus(),
    see(event) {
      if (event.type === 'approval-start') {
        const change = event.request.changes.find(({ path }) => path === policyPath);
        if (change?.after !== undefined) shown.set(event.request.approvalId, change.after);
      } else if (event.type === 'approval-end') {
        const text = shown.get(event.approvalId);
        shown.delete(event.approvalId);
        const { outcome } = event;
        // What was edited is not what the card showed, so it waits for a word of its own.
        const isYes =
          outcome.kind === 'covered'
            ? outcome.decision === 'allow'
            : outcome.kind === 'answered' && outcome.edited === undefined && outcome.choice !== 'deny' && outcome.choice !== 'stop';
        if (text !== undefined && isYes) allowed.set(event.callId, shared.expect(text));
      } else if (event.type === 'call-settled') {
        const takeBack = allowed.get(event.callId);
        if (takeBack === undefined) return;
        allowed.delete(event.callId);
        void shared.refresh().finally(takeBack);
      }
    },
    refresh: shared.refresh,
    async write(text) {
      await shared.write(text);
      await recorder.commit();
    },
    async accept(fingerprint) {
      const counted = await shared.accept(fingerprint);
      await recorder.commit();
      return counted;
    },
    difference(changes) {
      const change = changes.find(({ path }) => path === policyPath);
      return change?.after === undefined ? undefined : compare(change.after);
    },
    async compareWaiting() {
      await shared.refresh();
      const text = shared.waiting();
      return text === undefined ? undefined : compare(text);
    },
    async addRule(callId) {
      await shared.refresh();
      const view = events.flatMap((event) => (event.type === 'plan-end' ? event.calls : [])).find((call) => call.callId === callId);
      if (view === undefined) throw new CodedError('not-found', 'This call is not in the log of the session. Nothing was changed.');
      if (shared.waiting() !== undefined)
        throw new CodedError(
          'policy-waits',
          `${policyPath} was changed and waits for you. Look at it and accept it first, or put it back; nothing was changed.`,
        );
      if (said.inForce !== undefined && isBroken(said.inForce))
        throw new CodedError(
          'policy-broken',
          `${policyPath} does not load (line ${said.inForce.broken.line}: ${said.inForce.broken.message}). Mend it first; nothing was changed.`,
        );
      const facts = factsOf(view);
      const made = narrowestRule(facts);
      const text = made === undefined ? undefined : withRule(shared.accepted(), made);
      const next = text === undefined ? undefined : readPolicyFile(text);
      const verdict = next === undefined ? undefined : decide(facts, { ...standing, policy: next });
      if (made === undefined || text === undefined || verdict?.decision !== 'allow') {
        const why = verdict?.trace.find((entry) => entry.decided)?.evidence ?? 'It writes what the law protects.';
        throw new CodedError('no-rule', `No rule can let this call pass: ${why} Nothing was changed.`);
      }
      await shared.write(text);
      await recorder.commit();
      return newRuleWords(made);
    },
    explain(requested, input) {
      const { resolved: tool } = dispatcher.resolve(requested);
      const refused = (evidence: string): Explanation => ({
        ...explain(callFacts({ tool: tool ?? requested, input, repairs: [] }, dispatcher), standing),
        decision: 'refuse',
        trace: [{ rule: tool === null ? 'name' : 'validation', evidence, verdict: 'refuse', decided: true }],
      });
      if (tool === null) return refused(`There is no tool named ${JSON.stringify(requested)}.`);
      const valid = dispatcher.validateInput(tool, input);
      return valid.ok ? explain(callFacts({ tool, input: valid.input, repairs: [] }, dispatcher, outside), standing) : refused(valid.error.message);
    },
    close: unsubscribe,
  };
}

/** What a person has to hear of a change, beside the change itself. */
function newsIn(before: PolicyStatus, now: PolicyStatus): readonly { readonly code: string; readonly text: string }[] {
  const news: { code: string; text: string }[] = [];
  const brokenNow = now.inForce !== undefined && isBroken(now.inForce) ? now.inForce.broken : undefined;
  if (brokenNow !== undefined && before.inForce !== now.inForce)
    news.push({
      code: 'policy-broken',
      text: `${policyPath} does not load: line ${brokenNow.line}, column ${brokenNow.column}: ${brokenNow.message} Until it does, every call is asked for.`,
    });
  if (now.pending !== undefined && now.pending.fingerprint !== before.pending?.fingerprint)
    news.push({
      code: 'policy-waits',
      text: `${policyPath} was ${now.pending.fingerprint === 'removed' ? 'removed' : 'changed'} by something other than you or a call that you allowed. It decides nothing until you accept it; what was in force before still is.`,
    });
  return news;
}
