import { type BlockedRange, blockedIPv4, blockedIPv6 } from './address-table';

interface Range {
  readonly bytes: readonly number[];
  readonly bits: number;
  readonly said: BlockedRange;
}

const ranges: readonly Range[] = [...blockedIPv4, ...blockedIPv6].map((said) => {
  const [address = '', bits = ''] = said[0].split('/');
  const bytes = addressBytes(address);
  if (bytes === undefined) throw new Error(`the address table holds ${said[0]}, which is no address`);
  return { bytes, bits: Number(bits), said };
});

/**
 * The bytes of an address written in any spelling that a URL may hold.
 *
 * In     IPv4 (`127.0.0.1`, `127.1`, `0x7f000001`, `2130706433`) or IPv6, with or without brackets or a zone.
 * Out    4 or 16 bytes; undefined when it is no address.
 */
export function addressBytes(text: string): readonly number[] | undefined {
  const bare = text.replace(/^\[|\]$/g, '').replace(/%.*$/s, '');
  if (/^[\da-f:.]+$/i.test(bare) && bare.includes(':')) {
    const host = hostOf(`[${bare}]`);
    return host === undefined ? undefined : ipv6Bytes(host.slice(1, -1));
  }
  if (!/^[\da-fx.]+$/i.test(bare)) return undefined;
  const host = hostOf(bare);
  return host !== undefined && /^\d{1,3}(\.\d{1,3}){3}$/.test(host) ? host.split('.').map(Number) : undefined;
}

/** The blocked range that an address lies in; undefined for one that may be reached, or when the text is no address. */
export function blockedRange(address: string): BlockedRange | undefined {
  const bytes = addressBytes(address);
  return bytes === undefined ? undefined : ranges.find((range) => isInside(bytes, range))?.said;
}

function isInside(bytes: readonly number[], range: Range): boolean {
  if (bytes.length !== range.bytes.length) return false;
  for (let bit = 0; bit < range.bits; bit += 8) {
    const mask = range.bits - bit >= 8 ? 0xff : (0xff << (8 - (range.bits - bit))) & 0xff;
    if (((bytes[bit / 8] as number) & mask) !== ((range.bytes[bit / 8] as number) & mask)) return false;
  }
  return true;
}

/** The URL parser's own reading of a host: it is what a request would go to. */
function hostOf(text: string): string | undefined {
  try {
    return new URL(`http://${text}/`).hostname;
  } catch {
    return undefined;
  }
}

/** In     as the URL parser writes it: hexadecimal groups, at most one `::`. */
function ipv6Bytes(text: string): readonly number[] {
  const [before = '', after] = text.split('::');
  const groups = (part: string) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)));
  const head = groups(before);
  const tail = after === undefined ? [] : groups(after);
  const all = [...head, ...new Array<number>(8 - head.length - tail.length).fill(0), ...tail];
  return all.flatMap((group) => [group >> 8, group & 0xff]);
}
