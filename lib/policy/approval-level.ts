import type { ApprovalLevel } from '@/lib/contracts/approval';
import type { Capability } from '@/lib/contracts/outcome';

const order: readonly ApprovalLevel[] = ['auto', 'suggest', 'required'];
const known: ReadonlySet<string> = new Set<Capability>(['read-only', 'writes-files', 'executes-code', 'network', 'sandboxable', 'requires-approval']);

/**
 * The approval level that a capability set demands.
 *
 * Out    required also for a word that is not known: what is not known is treated as dangerous. Nothing declared is auto, since every
 *        port that acts is closed to such a tool; it is not read-only, so it never starts early and its repaired calls are asked for.
 * Source: governance 1 (`requires-approval` is required too: stricter than the article), law 5.
 */
export function approvalLevelOf(capabilities: readonly Capability[]): ApprovalLevel {
  if (!capabilities.every((capability) => known.has(capability))) return 'required';
  if (capabilities.includes('executes-code') || capabilities.includes('requires-approval')) return 'required';
  return capabilities.includes('writes-files') ? 'suggest' : 'auto';
}

/** The one definition of read-only: it says so, and neither writes files nor executes code. */
export function isReadOnly(capabilities: readonly Capability[]): boolean {
  return capabilities.includes('read-only') && !capabilities.includes('writes-files') && !capabilities.includes('executes-code');
}

/** The stricter of two levels. */
export function stricterLevel(a: ApprovalLevel, b: ApprovalLevel): ApprovalLevel {
  return order.indexOf(a) >= order.indexOf(b) ? a : b;
}
