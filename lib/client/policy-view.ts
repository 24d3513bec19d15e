import type { PolicyStatus } from '@/lib/contracts/policy';
import { isBroken, policyPath } from '@/lib/policy/policy-file';
import { policySchema } from '@/lib/policy/policy-shape';
import { policyText } from '@/lib/policy/policy-text';
import { policyWithoutRules, starterPolicy } from '@/lib/policy/starter-policy';

export { policyPath, policySchema };

/** The text that a new policy file begins with, and the one that lets nothing pass by a rule. */
export const starterText = policyText(starterPolicy);
export const ruleLessText = policyText(policyWithoutRules);

export interface PolicyView {
  /** broken: it does not load. waits: another one lies there that nobody accepted. */
  readonly state: 'starter' | 'file' | 'off' | 'broken' | 'waits';
  /** After "Policy:", for the button. */
  readonly word: string;
  /** What decides, in a sentence. */
  readonly sentence: string;
  /** The policy in force as text; empty where it does not load. */
  readonly text: string;
  /** What is wrong with the file, where it stands. */
  readonly problem?: string;
}

/** A policy's status in words. */
export function viewPolicy({ inForce, pending }: PolicyStatus): PolicyView {
  const problem = placed(inForce !== undefined && isBroken(inForce) ? inForce.broken : pending?.problem);
  const shown = { text: inForce === undefined ? starterText : isBroken(inForce) ? '' : policyText(inForce), ...(problem === undefined ? {} : { problem }) };
  const what =
    inForce === undefined ? 'the starter policy' : isBroken(inForce) ? 'that every call is asked for' : `what ${policyPath} said when you last accepted it`;
  if (pending !== undefined) {
    const happened = pending.fingerprint === 'removed' ? 'was removed' : 'was changed';
    return {
      ...shown,
      state: 'waits',
      word: 'waits for you',
      sentence: `${policyPath} ${happened} by something other than you. It decides nothing until you accept it; in force is ${what}.`,
    };
  }
  if (inForce === undefined)
    return {
      ...shown,
      state: 'starter',
      word: 'starter',
      sentence: 'No policy file yet. The starter policy lets plain commands pass that only read; everything else is decided by the mode.',
    };
  if (isBroken(inForce))
    return {
      ...shown,
      state: 'broken',
      word: 'does not load',
      sentence: `${policyPath} does not load, so every call is asked for, in every mode. Nothing was lost; mend the file.`,
    };
  if (shown.text === ruleLessText)
    return { ...shown, state: 'off', word: 'no rules', sentence: 'The policy has no rules: every command is decided by the mode.' };
  return { ...shown, state: 'file', word: 'your file', sentence: `${policyPath} decides.` };
}

function placed(problem: { readonly line: number; readonly column: number; readonly message: string } | undefined): string | undefined {
  return problem === undefined ? undefined : `Line ${problem.line}, column ${problem.column}: ${problem.message}`;
}
