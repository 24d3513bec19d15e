import type { HostRules } from '@/lib/contracts/network';
import { addressBytes, blockedRange } from './address-class';
import { blockedHostSuffixes, blockedHosts } from './address-table';
import { coversHost, plainHost } from './host-entry';

/** What is known of a name's addresses. none: it cannot be resolved here. at-connect: whoever connects resolves and checks it. */
export type Resolution = { readonly kind: 'answers'; readonly addresses: readonly string[] } | { readonly kind: 'none' } | { readonly kind: 'at-connect' };

export type TargetVerdict =
  | {
      readonly verdict: 'allow';
      readonly reason: 'public' | 'policy_allow' | 'exempt_origin';
      readonly url: URL;
      readonly host: string;
      readonly connectTo?: string;
    }
  | {
      readonly verdict: 'ask';
      readonly reason: 'policy_ask' | 'unresolved_name';
      readonly url: URL;
      readonly host: string;
      readonly connectTo?: string;
    }
  | {
      readonly verdict: 'block';
      readonly reason: 'invalid_url' | 'scheme' | 'policy_deny' | 'local_name' | 'restricted_ip' | 'unresolvable';
      /** Absent where the text is no URL. */
      readonly host?: string;
      /** In words, what stands against it. */
      readonly detail: string;
    };

/**
 * Decides whether one request may go out, before anything is sent.
 *
 * In     `text` as it was given, or a redirect's Location with the URL it is relative to.
 * Out    allow with the address to connect to, where one is known; ask; or block with what stands against it.
 * Fails  never. Pure.
 * Order  URL, scheme, host policy, local names, addresses, then what is still to be asked. An allowed host opens no blocked range.
 * Source governance 10.
 */
export function checkTarget(text: string, rules: HostRules, resolution: Resolution, base?: URL): TargetVerdict {
  const url = parseUrl(text, base);
  if (url === undefined) return { verdict: 'block', reason: 'invalid_url', detail: 'it is not a complete URL' };
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return { verdict: 'block', reason: 'scheme', host: plainHost(url.hostname), detail: `only http and https are fetched, not ${url.protocol}` };
  const host = plainHost(url.hostname);
  const stated = statedFor(host, url, rules);
  if (stated.say === 'deny') return { verdict: 'block', reason: 'policy_deny', host, detail: stated.why };
  const asked = stated.say === 'ask';
  if (rules.exemptOrigins?.includes(url.origin) && (base === undefined || base.origin === url.origin))
    return asked ? { verdict: 'ask', reason: 'policy_ask', url, host } : { verdict: 'allow', reason: 'exempt_origin', url, host };
  if (isLocalName(host)) return { verdict: 'block', reason: 'local_name', host, detail: 'the name stands for this machine or a metadata service' };

  const literal = addressBytes(host) === undefined ? undefined : host;
  const answers = resolution.kind === 'answers' ? resolution.addresses : [];
  for (const address of [...(literal === undefined ? [] : [literal]), ...answers]) {
    const what = addressBytes(address) === undefined ? 'it cannot be read as an address' : blockedRange(address)?.[1];
    if (what !== undefined) return { verdict: 'block', reason: 'restricted_ip', host, detail: `${address}: ${what}` };
  }
  if (literal === undefined) {
    if (resolution.kind === 'answers' && answers.length === 0) return { verdict: 'block', reason: 'unresolvable', host, detail: 'the name has no address' };
    if (resolution.kind === 'none')
      return stated.say === 'allow' ? { verdict: 'allow', reason: 'policy_allow', url, host } : { verdict: 'ask', reason: 'unresolved_name', url, host };
  }
  const connectTo = literal ?? answers[0];
  const pinned = connectTo === undefined ? {} : { connectTo };
  return asked ? { verdict: 'ask', reason: 'policy_ask', url, host, ...pinned } : { verdict: 'allow', reason: 'public', url, host, ...pinned };
}

export const redirectsMost = 5;

/** A redirect as a server sent it, and what is known of its host. */
export interface Hop {
  readonly to: string;
  readonly resolution: Resolution;
}

/**
 * Decides about a URL and every redirect after it, each by the same steps.
 *
 * Out    the first answer that is not allow, else the last; a sixth redirect stops.
 */
export function checkChain(
  text: string,
  resolution: Resolution,
  hops: readonly Hop[],
  rules: HostRules,
): TargetVerdict | { readonly verdict: 'stop'; readonly reason: 'too_many_redirects' } {
  let answer = checkTarget(text, rules, resolution);
  for (const [index, hop] of hops.entries()) {
    if (answer.verdict !== 'allow') return answer;
    if (index >= redirectsMost) return { verdict: 'stop', reason: 'too_many_redirects' };
    answer = checkTarget(hop.to, rules, hop.resolution, answer.url);
  }
  return answer;
}

function parseUrl(text: string, base: URL | undefined): URL | undefined {
  try {
    return new URL(text.trim(), base);
  } catch {
    return undefined;
  }
}

/** `allow`: an entry says so. `open`: only the default does. */
function statedFor(host: string, url: URL, rules: HostRules): { readonly say: 'allow' | 'open' | 'ask' | 'deny'; readonly why: string } {
  const { policy } = rules;
  const covering = (entries: readonly string[] | undefined) => entries?.find((entry) => coversHost(entry, host));
  const denied = covering(policy.deny);
  if (denied !== undefined) return { say: 'deny', why: `the host policy denies "${denied}"` };
  const refused = covering(rules.denied);
  if (refused !== undefined) return { say: 'deny', why: `"${refused}" was denied in this session` };
  const decided = rules.decides?.(url.href);
  if (decided === 'deny') return { say: 'deny', why: 'the policy denies this call' };
  const allowed = covering(policy.allow) ?? covering(rules.approved);
  if (allowed !== undefined) return { say: 'allow', why: `"${allowed}" is allowed` };
  if (decided === 'allow') return { say: 'allow', why: 'the policy or a person allowed it' };
  if (decided === 'ask') return { say: 'ask', why: 'the policy asks about this call' };
  const asks = covering(policy.ask);
  if (asks !== undefined) return { say: 'ask', why: `the host policy asks about "${asks}"` };
  if (policy.default === 'deny') return { say: 'deny', why: 'the host policy denies every host that it does not name' };
  return policy.default === 'allow' ? { say: 'open', why: 'the host policy allows hosts by default' } : { say: 'ask', why: 'the host policy asks by default' };
}

/** A suffix of the table stands for its own name too, and resolvers differ about how many dots may follow a name. */
function isLocalName(host: string): boolean {
  const name = host.replace(/\.+$/, '');
  return blockedHosts.includes(name) || blockedHostSuffixes.some((end) => `.${name}`.endsWith(end));
}
