import type { ApprovalLevel } from '@/lib/contracts/approval';
import type { Capability } from '@/lib/contracts/outcome';

const order: readonly ApprovalLevel[] = ['auto', 'suggest', 'required'];

/**
 * The approval level that a capability set demands.
 *
 * Source: governance 1 (`requires-approval` is required too: stricter than the article).
 */
export function approvalLevelOf(capabilities: readonly Capability[]): ApprovalLevel {
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
