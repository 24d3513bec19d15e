import type { ApprovalLevel } from '@/lib/contracts/approval';

/** May a call run beside others? Only what reads, says that it may, asks nobody and does not wait for the person. Source governance 7. */
export function isParallelSafe(call: {
  readonly readOnly: boolean;
  readonly supportsParallel: boolean;
  readonly interactive: boolean;
  readonly level: ApprovalLevel;
}): boolean {
  return call.readOnly && call.supportsParallel && call.level === 'auto' && !call.interactive;
}
