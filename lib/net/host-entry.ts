import { addressBytes } from './address-class';

/** A host as policies compare it: lower case, without brackets, without one dot at its end. */
export function plainHost(hostname: string): string {
  return hostname
    .toLowerCase()
    .replace(/^\[(.*)\]$/s, '$1')
    .replace(/\.$/, '');
}

/**
 * Whether an entry of a host policy covers a host.
 *
 * In     `host` by `plainHost`; `entry` as a person wrote it, without a port.
 * Out    `.example.com` and `*.example.com`: every sub-domain, not the name itself; any other entry: exactly that host, in any spelling that the URL parser reads as it.
 */
export function coversHost(entry: string, host: string): boolean {
  const plain = plainHost(entry);
  const above = plain.startsWith('*.') ? plain.slice(1) : plain.startsWith('.') ? plain : undefined;
  if (above === undefined) return plain === host || parsedHost(plain) === host;
  if (above.length < 2 || addressBytes(host) !== undefined) return false;
  const parsed = parsedHost(above.slice(1));
  return [above, ...(parsed === undefined ? [] : [`.${parsed}`])].some((end) => host.length > end.length && host.endsWith(end));
}

/** `bücher.example` and `xn--bcher-kva.example`, or `[::0:1]` and `[::1]`, are one host; what holds more than a host is not read at all. */
function parsedHost(plain: string): string | undefined {
  if (/[\s/?#@\\%[\]]/.test(plain)) return undefined;
  const bytes = addressBytes(plain);
  if (bytes === undefined && plain.includes(':')) return undefined;
  try {
    return plainHost(new URL(`http://${plain.includes(':') ? `[${plain}]` : plain}/`).hostname);
  } catch {
    return undefined;
  }
}
