import { runApproval } from './run-approval';
import { runArgumentRepair } from './run-argument-repair';
import { runBatch } from './run-batch';
import { runEarlyStart, runPlanBatches } from './run-batching';
import { runDispatch } from './run-dispatch';
import { runEarlyUse } from './run-early-use';
import { runExternalContent } from './run-external-content';
import { runApprovalCovers, runApprovalSession, runDenialSuppresses } from './run-fingerprints';
import { runForgery } from './run-forgery';
import { runHistory } from './run-history';
import { runLoopGuard } from './run-loop-guard';
import { runMcpNames } from './run-mcp-names';
import { runNameRepair } from './run-name-repair';
import { runSchemaSanitize } from './run-schema-sanitize';
import { runShellPolicy } from './run-shell-policy';
import { runCapture, runHint, runOtherResult, runPolls, runRetrieve, runRetrieveUnknown, runShellSpill, runShortenAgain } from './run-spill-results';
import { runAtomic, runCleanUp, runHostileIds, runQuota, runRewrites, runSpillIds } from './run-spill-store';
import { runSse } from './run-sse';
import { runSsrf } from './run-ssrf';
import { runToolCallStream } from './run-tool-call-stream';
import { runShellOutput, runTruncationGate } from './run-truncation';
import { runWire } from './run-wire';
import type { Runner } from './runner';

/** One runner a kind, or a kind and the kind inside its inputs. */
export const runners: ReadonlyMap<string, Runner> = new Map<string, Runner>([
  ['approval', runApproval],
  ['arg-repair', runArgumentRepair],
  ['batching/plan', runPlanBatches],
  ['batching/run', runBatch],
  ['batching/speculate_start', runEarlyStart],
  ['batching/speculate_use', runEarlyUse],
  ['dispatch', runDispatch],
  ['external-content', runExternalContent],
  ['fingerprints/approval_covers', runApprovalCovers],
  ['fingerprints/denial_suppresses', runDenialSuppresses],
  ['fingerprints/session', runApprovalSession],
  ['forgery', runForgery],
  ['history', runHistory],
  ['loop-guard', runLoopGuard],
  ['mcp-names', runMcpNames],
  ['name-repair', runNameRepair],
  ['schema-sanitize', runSchemaSanitize],
  ['shell-policy', runShellPolicy],
  ['spill/shell', runShellSpill],
  ['spill/polls', runPolls],
  ['spill/ids', runSpillIds],
  ['spill/write', runRewrites],
  ['spill/ids_hostile', runHostileIds],
  ['spill/retrieve', runRetrieve],
  ['spill/retrieve_unknown', runRetrieveUnknown],
  ['spill/cleanup', runCleanUp],
  ['spill/result', runOtherResult],
  ['spill/again', runShortenAgain],
  ['spill/hint', runHint],
  ['spill/capture', runCapture],
  ['spill/atomic', runAtomic],
  ['spill/quota', runQuota],
  ['sse', runSse],
  ['ssrf', runSsrf],
  ['tool-call-stream', runToolCallStream],
  ['truncation/gate', runTruncationGate],
  ['truncation/shell_output', runShellOutput],
  ['wire', runWire],
]);
