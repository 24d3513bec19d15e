import type { EngineEventBody } from '@/lib/contracts/events';
import type { CallId, NewId, Now, TurnId } from '@/lib/contracts/ids';
import type { FetchWeb } from '@/lib/contracts/network';
import type { ToolResult } from '@/lib/contracts/outcome';
import type { Decision, Standing } from '@/lib/contracts/policy';
import type { SpillStore } from '@/lib/contracts/store';
import type { CommandRequest, ToolContext } from '@/lib/contracts/tool-context';
import type { OutsideTracker } from '@/lib/pipeline/2-plan/outside-bytes';
import type { OuterCall } from '@/lib/pipeline/4-execute/inner-call';
import { canonicalJson } from '@/lib/shared/canonical-json';
import { CodedError } from '@/lib/shared/coded-error';
import type { Json, JsonObject } from '@/lib/shared/json';
import type { Stop } from '@/lib/shared/stop';
import { hostRules } from './host-rules';
import type { OpenWorkspace } from './ports';
import { runShell } from './run-shell';
import type { SessionTools } from './session-tools';
import type { Undo } from './undo';

/** UTF-16 units of live output that one call shows; the whole is in its result. */
const liveLimit = 512 * 1024;

export interface ToolHostPorts {
  readonly workspace: OpenWorkspace;
  readonly spills: SpillStore;
  readonly tools: SessionTools;
  readonly explain: ToolContext['explain'];
  readonly standing: Standing;
  readonly fetchWeb: FetchWeb | undefined;
  readonly outside: Pick<OutsideTracker, 'touched'>;
  /** What would be decided about a call of this tool. */
  decide(tool: string, input: JsonObject): Decision;
  readonly undo: Undo;
  readonly turnId: TurnId;
  readonly emit: (event: EngineEventBody) => void;
  readonly now: Now;
  readonly newId: NewId;
  /** Makes a call that the tool of a call asked for. */
  callTool(outer: OuterCall, name: string, input: JsonObject): Promise<ToolResult>;
}

/** Makes the context of one call, not yet narrowed: the dispatcher does that by the tool's capabilities. */
export function createToolHost(ports: ToolHostPorts): (callId: CallId, stop: Stop, tool: string, input?: JsonObject) => ToolContext {
  const { notes, jobs, questions } = ports.tools;
  const state = {
    get: (key: string) => notes.get(key),
    set(key: string, value: Json) {
      const known = notes.get(key);
      if (known !== undefined && canonicalJson(known) === canonicalJson(value)) return;
      notes.set(key, value);
      ports.emit({ type: 'tool-note', key, value });
    },
  };
  return (callId, stop, tool, input = {}) => ({
    files: ports.workspace.files,
    runCommand: (request) => runVisibly(request, callId, stop.signal, ports),
    search: (request) => ports.workspace.search(request, stop.signal),
    async readSpill(ref) {
      const record = await ports.spills.read(ref);
      if (record?.origin !== undefined) ports.outside.touched(callId, record.origin);
      return record;
    },
    async fetchWeb(request) {
      if (ports.fetchWeb === undefined) throw new CodedError('not-available', 'This engine has no way out to the network. Go on without it.');
      const response = await ports.fetchWeb(
        request,
        hostRules(ports.standing, input, (other) => ports.decide(tool, other)),
        stop.signal,
      );
      ports.outside.touched(callId, response.host);
      return response;
    },
    showPlan: (steps, explanation) => ports.emit(explanation === undefined ? { type: 'plan-show', steps } : { type: 'plan-show', steps, explanation }),
    jobs: jobs.forCall(callId, () => stop.signal),
    git: ports.workspace.git,
    async callTool(name, inner) {
      const result = await ports.callTool({ callId, tool, stop }, name, inner);
      const origin = result.metadata?.['origin'];
      if (typeof origin === 'string') ports.outside.touched(callId, origin);
      return result;
    },
    async diagnose(paths) {
      if (ports.workspace.language === undefined)
        throw new CodedError('not-available', 'Nothing here can look for problems. Run the compiler or the tests with exec_shell.');
      return ports.workspace.language.check(paths, stop.signal);
    },
    undo: ports.undo.forCall(callId),
    askPerson: (asked) => questions.ask({ callId, turnId: ports.turnId, signal: stop.signal }, asked),
    explain: ports.explain,
    notify: (title, body) => ports.emit({ type: 'notify', title, body }),
    state,
    now: ports.now,
    newId: ports.newId,
    get signal() {
      return stop.signal;
    },
  });
}

function runVisibly(request: CommandRequest, callId: CallId, signal: AbortSignal, ports: ToolHostPorts) {
  let shown = 0;
  return runShell(ports.workspace.runtime, request, signal, (text) => {
    if (shown < liveLimit) ports.emit({ type: 'call-output', callId, text: text.slice(0, liveLimit - shown) });
    shown += text.length;
  });
}
