import type { ApprovalLevel } from '@/lib/contracts/approval';

/** May a call run beside others? Only what reads, says that it may, asks nobody and does not wait for the person. Source governance 7. */
export function isParallelSafe(
  tool: { readonly readOnly: boolean; readonly supportsParallel: boolean; readonly interactive: boolean },
  level: ApprovalLevel,
): boolean {
  return tool.readOnly && tool.supportsParallel && level === 'auto' && !tool.interactive;
}
