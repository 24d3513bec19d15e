import type { Decision, TraceEntry } from '@/lib/contracts/policy';
import type { ShellVerdict } from './shell-verdict';

const PARTS_TRACED = 20;

/** One entry a part, so that the trace names the rule behind each; a single part is told by the deciding entry. */
export function partEntries(judged: ShellVerdict | undefined): readonly TraceEntry[] {
  const parts = judged?.parts ?? [];
  if (parts.length < 2) return [];
  const entries = parts
    .slice(0, PARTS_TRACED)
    .map(({ text, verdict, evidence }): TraceEntry => ({ rule: 'shell-part', evidence: `${quoted(text)}: ${evidence}`, verdict }));
  const rest = parts.length - entries.length;
  return rest === 0 ? entries : [...entries, { rule: 'shell-part', evidence: `And ${rest} more.`, verdict: 'none' }];
}

/** Which part decided a command, by which rule. */
export function commandEvidence({ parts }: ShellVerdict, decision: Decision): string {
  const deciding = parts.find((part) => part.verdict === decision);
  if (deciding === undefined) return 'It has no part that runs.';
  if (parts.length === 1) return deciding.evidence;
  const count = parts.filter((part) => part.verdict === decision).length;
  if (decision === 'allow') return `Each of its ${parts.length} parts is allowed.`;
  return `${count} of its ${parts.length} parts ${count === 1 ? 'is' : 'are'} ${decision === 'deny' ? 'denied' : 'to be asked for'}, first ${quoted(deciding.text)}: ${deciding.evidence}`;
}

/**
 * True when allow rules cover a command, so that what it carries from outside does not count.
 *
 * In     `exactly`: a rule names exactly this command. It covers what no rule asks for, and never a protected path.
 */
export function coveredByRules({ parts }: ShellVerdict, exactly: boolean): boolean {
  if (exactly) return parts.every((part) => part.verdict === 'allow' || (part.verdict === 'ask' && !part.byRule && part.rule !== 'protected-path'));
  return parts.length > 0 && parts.every((part) => part.verdict === 'allow' && part.byRule);
}

const QUOTED_LENGTH = 120;

/** Text of a command in quotes, cut where it is long. */
export function quoted(text: string): string {
  return `"${text.length > QUOTED_LENGTH ? `${text.slice(0, QUOTED_LENGTH)}…` : text}"`;
}
