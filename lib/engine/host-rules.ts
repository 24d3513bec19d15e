import type { HostRules } from '@/lib/contracts/network';
import type { Decision, Standing } from '@/lib/contracts/policy';
import { policyWithoutRules, starterPolicy } from '@/lib/policy/starter-policy';
import { callHost } from '@/lib/shared/call-host';
import type { JsonObject } from '@/lib/shared/json';

/**
 * Whom one call may reach over the network.
 *
 * In     `input` of a call that was decided about: it runs, so its own host is allowed. `decide`: the same question about
 *        another input, for the addresses that it redirects to.
 */
export function hostRules(standing: Standing, input: JsonObject, decide: (input: JsonObject) => Decision): HostRules {
  const own = callHost(input);
  const inForce = standing.policy ?? starterPolicy;
  return {
    policy: ('broken' in inForce ? policyWithoutRules : inForce).hosts,
    approved: own === undefined ? [] : [own],
    decides: (url) => decide({ ...input, url }),
  };
}
