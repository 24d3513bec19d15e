import type { CallFacts, Decision, HostPolicy } from '@/lib/contracts/policy';
import { checkTarget } from '@/lib/net/check-target';

export interface HostVerdict {
  readonly decision: Decision;
  readonly evidence: string;
  /** An entry of the policy said it, and not its default. */
  readonly byRule: boolean;
}

/**
 * What the policy says about the address that a call reaches; undefined where the call names none.
 *
 * Out    deny also for an address that nobody may reach, whoever allowed its host. Names are checked again by whoever connects.
 */
export function judgeHost({ tool, capabilities, input }: CallFacts, policy: HostPolicy): HostVerdict | undefined {
  if (tool !== 'fetch_url' && !capabilities.includes('network')) return undefined;
  const { url } = input;
  if (typeof url !== 'string') return tool === 'fetch_url' ? unreadable : undefined;
  const found = checkTarget(url, { policy }, { kind: 'at-connect' });
  if (found.verdict === 'block') {
    // The tool itself teaches how an address is written.
    if (found.reason === 'invalid_url' || found.reason === 'scheme') return unreadable;
    return { decision: 'deny', evidence: `${found.host ?? url} may not be reached: ${found.detail}.`, byRule: found.reason === 'policy_deny' };
  }
  const strict = checkTarget(url, { policy: { ...policy, default: 'ask' } }, { kind: 'at-connect' });
  const byRule = strict.verdict === found.verdict && (found.verdict === 'allow' || policy.default !== 'ask');
  if (found.verdict === 'allow') return { decision: 'allow', evidence: `The policy allows ${found.host}.`, byRule };
  return { decision: 'ask', evidence: `No rule allows ${found.host}, so it is asked for.`, byRule };
}

const unreadable: HostVerdict = { decision: 'ask', evidence: 'Its address cannot be read, so it is asked for.', byRule: false };
