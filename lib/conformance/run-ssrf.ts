import type { HostEntries } from '@/lib/contracts/network';
import { checkChain, type Hop, type Resolution } from '@/lib/net/check-target';
import { isJsonObject, type Json, type JsonObject } from '@/lib/shared/json';
import { named, objects, type Runner, refuseUnknown, strings, text } from './runner';

/** Kind `ssrf`: the verdict on an outgoing request and its redirects; no request is made. */
export const runSsrf: Runner = ({ input, expected }) => {
  refuseUnknown('input', input, ['url', 'policy', 'sessionApproved', 'sessionDenied', 'resolved', 'secondResolution', 'resolver', 'redirects']);
  refuseUnknown('expected', expected, ['verdict', 'reason', 'connectTo']);
  const resolver = text(input.resolver ?? 'trusted');
  if (resolver !== 'trusted' && resolver !== 'none') throw new Error(`no runner knows the resolver ${resolver}`);
  strings(input.secondResolution);
  const known = (resolved: Json | undefined): Resolution => (resolver === 'none' ? { kind: 'none' } : { kind: 'answers', addresses: strings(resolved) });
  const hops = objects(input.redirects).map((hop): Hop => {
    refuseUnknown('redirect', hop, ['to', 'resolved']);
    return { to: text(hop.to), resolution: known(hop.resolved) };
  });
  const answer = checkChain(text(input.url), known(input.resolved), hops, {
    policy: hostPolicy(input.policy ?? { default: 'allow' }),
    approved: strings(input.sessionApproved),
    denied: strings(input.sessionDenied),
  });
  return named(expected, {
    verdict: answer.verdict,
    reason: answer.reason,
    connectTo: (answer.verdict === 'allow' ? answer.connectTo : undefined) ?? null,
  });
};

/** Keys and words that a policy does not have are left to the product, as a policy of a person would be. */
function hostPolicy(value: Json): HostEntries {
  if (!isJsonObject(value)) throw new Error('policy is no object');
  const { allow, ask, deny, ...rest }: JsonObject = value;
  return { ...rest, allow: strings(allow), ask: strings(ask), deny: strings(deny) };
}
