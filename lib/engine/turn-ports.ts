import type { AgentId, TurnId } from '@/lib/contracts/ids';
import type { StreamPorts } from '@/lib/pipeline/1-stream/stream';
import type { LoopGuard } from '@/lib/pipeline/2-plan/loop-guard';
import type { OutsideTracker } from '@/lib/pipeline/2-plan/outside-bytes';
import type { PromptFacts } from '@/lib/pipeline/4-execute/request-approvals';
import type { SlotPorts } from '@/lib/pipeline/4-execute/run-slot';
import type { SpillPorts } from '@/lib/pipeline/5-backfill/spill';
import type { JobOutputs } from '@/lib/pipeline/5-backfill/spill-job';
import type { SummarisePort } from '@/lib/pipeline/5-backfill/summarise';
import type { SessionDiagnostics } from './step-diagnostics';
import type { Transcript } from './transcript';

/** Everything the stages of one turn need; built once a turn, from the session and its workspace. Only `agent` and `transcript` differ between its agents. */
export interface TurnPorts extends Omit<StreamPorts, 'early' | 'stepId'>, Omit<SlotPorts, 'early' | 'refused'>, SpillPorts {
  readonly turnId: TurnId;
  /** Absent = the agent of the turn itself. */
  readonly agent?: AgentId;
  readonly promptFacts: PromptFacts;
  readonly modelName: string;
  readonly loopGuard: LoopGuard;
  readonly jobs: JobOutputs;
  readonly outside: OutsideTracker;
  readonly summarise: SummarisePort | undefined;
  readonly transcript: Transcript;
  readonly diagnostics: SessionDiagnostics;
  /** Reads the policy file again where it changed; awaited before calls are decided. */
  readonly refreshPolicy: () => Promise<void>;
  /** Says once a turn that a call written in text was stripped. */
  noticeForgery(): void;
}
