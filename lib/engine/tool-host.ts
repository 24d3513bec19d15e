import type { EngineEventBody } from '@/lib/contracts/events';
import type { CallId, NewId, Now, SessionId, SpillRef, TurnId } from '@/lib/contracts/ids';
import { type FetchWeb, ServersWords } from '@/lib/contracts/network';
import type { ToolResult } from '@/lib/contracts/outcome';
import type { Decision, Standing } from '@/lib/contracts/policy';
import type { SpillStore } from '@/lib/contracts/store';
import type { CommandRequest, PlanStep, SearchRequest, ToolContext } from '@/lib/contracts/tool-context';
import type { OutsideTracker } from '@/lib/pipeline/2-plan/outside-bytes';
import type { OuterCall } from '@/lib/pipeline/4-execute/inner-call';
import { canonicalJson } from '@/lib/shared/canonical-json';
import { CodedError } from '@/lib/shared/coded-error';
import type { JsonObject } from '@/lib/shared/json';
import type { Stop } from '@/lib/shared/stop';
import { hostRules } from './host-rules';
import type { OpenWorkspace } from './ports';
import { captureCapBytes, liveLimit, runShell } from './run-shell';
import type { SessionTools } from './session-tools';
import type { Undo } from './undo';

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
  readonly sessionId: SessionId;
  readonly turnId: TurnId;
  readonly emit: (event: EngineEventBody) => void;
  readonly now: Now;
  readonly newId: NewId;
  /** Makes a call that the tool of a call asked for. */
  callTool(outer: OuterCall, name: string, input: JsonObject): Promise<ToolResult>;
}

export interface ToolHost {
  /** Makes the context of one call, not yet narrowed: the dispatcher does that by the tool's capabilities. */
  makeContext(callId: CallId, stop: Stop, tool: string, input?: JsonObject): ToolContext;
  /** What the command that a call runs right now has said; undefined = it runs none. */
  outputSoFar(callId: CallId): string | undefined;
}

/** Makes the host of a turn's calls. */
export function createToolHost(ports: ToolHostPorts): ToolHost {
  const state = createNotes(ports);
  const outputs: Outputs = new Map();
  return {
    makeContext: (callId, stop, tool, input = {}) => new HostContext(ports, state, outputs, callId, stop, tool, input),
    outputSoFar: (callId) => outputs.get(callId)?.join(''),
  };
}

/** Pieces of output of the commands that run, by the call that runs them. */
type Outputs = Map<CallId, string[]>;

function createNotes({ tools: { notes }, emit }: ToolHostPorts): ToolContext['state'] {
  return {
    get: (key) => notes.get(key),
    set(key, value) {
      const known = notes.get(key);
      if (known !== undefined && canonicalJson(known) === canonicalJson(value)) return;
      notes.set(key, value);
      emit({ type: 'tool-note', key, value });
    },
  };
}

/** One object a call: its ports are the same for every call but for whose they are. */
class HostContext implements ToolContext {
  constructor(
    private readonly ports: ToolHostPorts,
    readonly state: ToolContext['state'],
    private readonly outputs: Outputs,
    private readonly callId: CallId,
    private readonly stop: Stop,
    private readonly tool: string,
    private readonly input: JsonObject,
  ) {}
  get files() {
    return this.ports.workspace.files;
  }
  get jobs() {
    return this.ports.tools.jobs.forCall(this.callId, () => this.stop.signal);
  }
  get undo() {
    return this.ports.undo.forCall(this.callId);
  }
  get git() {
    return this.ports.workspace.git;
  }
  get explain() {
    return this.ports.explain;
  }
  get now() {
    return this.ports.now;
  }
  get newId() {
    return this.ports.newId;
  }
  get signal() {
    return this.stop.signal;
  }
  runCommand(request: CommandRequest) {
    return runVisibly(request, this.callId, this.stop.signal, this.ports, this.outputs);
  }
  search(request: SearchRequest) {
    return this.ports.workspace.search(request, this.stop.signal);
  }
  async readSpill(ref: SpillRef) {
    const record = await this.ports.spills.read(ref);
    // A result of another session may be of another workspace: to this one it is not there.
    if (record !== undefined && record.sessionId !== this.ports.sessionId) return undefined;
    if (record?.origin !== undefined) this.ports.outside.touched(this.callId, record.origin);
    return record;
  }
  async fetchWeb(request: Parameters<ToolContext['fetchWeb']>[0]) {
    const { ports, tool, input } = this;
    if (ports.fetchWeb === undefined) throw new CodedError('not-available', 'This engine has no way out to the network. Go on without it.');
    const rules = hostRules(ports.standing, input, (other) => ports.decide(tool, other));
    try {
      const response = await ports.fetchWeb(request, rules, this.stop.signal);
      ports.outside.touched(this.callId, response.host);
      return response;
    } catch (error) {
      if (error instanceof ServersWords) ports.outside.touched(this.callId, error.host);
      throw error;
    }
  }
  async callTool(name: string, inner: JsonObject) {
    const { ports, callId, tool, stop } = this;
    const result = await ports.callTool({ callId, tool, stop }, name, inner);
    const origin = result.metadata?.['origin'];
    if (typeof origin === 'string') ports.outside.touched(callId, origin);
    return result;
  }
  async diagnose(paths: readonly string[]) {
    const { language } = this.ports.workspace;
    if (language === undefined) throw new CodedError('not-available', 'Nothing here can look for problems. Run the compiler or the tests with exec_shell.');
    return language.check(paths, this.stop.signal);
  }
  askPerson(asked: Parameters<ToolContext['askPerson']>[0]) {
    return this.ports.tools.questions.ask({ callId: this.callId, turnId: this.ports.turnId, signal: this.stop.signal }, asked);
  }
  showPlan(steps: readonly PlanStep[], explanation: string | undefined) {
    this.ports.emit(explanation === undefined ? { type: 'plan-show', steps } : { type: 'plan-show', steps, explanation });
  }
  notify(title: string, body: string) {
    this.ports.emit({ type: 'notify', title, body });
  }
}

async function runVisibly(request: CommandRequest, callId: CallId, signal: AbortSignal, ports: ToolHostPorts, outputs: Outputs) {
  let shown = 0;
  const pieces: string[] = [];
  outputs.set(callId, pieces);
  try {
    return await runShell(ports.workspace.runtime, request, signal, (text) => {
      if (shown < captureCapBytes) pieces.push(text);
      if (shown < liveLimit) ports.emit({ type: 'call-output', callId, text: text.slice(0, liveLimit - shown) });
      shown += text.length;
    });
  } finally {
    outputs.delete(callId);
  }
}
