import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blockedHostSuffixes, blockedHosts, blockedIPv4, blockedIPv6 } from '@/lib/net/address-table';
import { checkTarget } from '@/lib/net/check-target';

const generous = { policy: { default: 'allow', allow: ['*.nip.example'] }, approved: ['10.0.0.1', '[::1]'] } as const;
const none = { kind: 'none' } as const;
const runs = { numRuns: 2_000 };

const blocked4 = fc.constantFrom(...blockedIPv4).chain(([range]) => {
  const [address = '', bits = ''] = range.split('/');
  const first = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  return fc.nat({ max: 2 ** (32 - Number(bits)) - 1 }).map((offset) => first + offset);
});

function part(value: number, style: number): string {
  return style === 0 ? String(value) : style === 1 ? `0x${value.toString(16)}` : `0${value.toString(8)}`;
}

/** One address as 1 to 4 numbers, each decimal, hexadecimal or octal. */
function spell4(address: number, parts: number, styles: readonly number[]): string {
  const bytes = [address >>> 24, (address >>> 16) & 255, (address >>> 8) & 255, address & 255];
  const last = bytes.slice(parts - 1).reduce((sum, byte) => sum * 256 + byte, 0);
  return [...bytes.slice(0, parts - 1), last].map((value, index) => part(value, styles[index] ?? 0)).join('.');
}

const percent = (text: string) => [...text].map((character) => `%${character.charCodeAt(0).toString(16)}`).join('');
const wide = (text: string) => text.replace(/[0-9]/g, (digit) => String.fromCharCode(0xff10 + Number(digit)));
const disguises: readonly ((host: string) => string)[] = [
  (host) => host,
  (host) => `${host}.`,
  (host) => host.toUpperCase(),
  percent,
  wide,
  (host) => host.replaceAll('.', '。'),
  (host) => `user:pw@${host}`,
  (host) => `example.com@${host}`,
  (host) => `${host}:8080`,
  (host) => `${host.slice(0, 1)}\t${host.slice(1)}`,
];

describe('a blocked address', () => {
  it('of version 4 is refused in every spelling', () => {
    fc.assert(
      fc.property(
        blocked4,
        fc.integer({ min: 1, max: 4 }),
        fc.array(fc.nat(2), { minLength: 4, maxLength: 4 }),
        fc.constantFrom(...disguises),
        (address, parts, styles, disguise) => {
          const url = `http://${disguise(spell4(address, parts, styles))}/`;
          expect({ ...checkTarget(url, generous, none), url }).toMatchObject({ url, verdict: 'block', reason: 'restricted_ip' });
        },
      ),
      runs,
    );
  });

  it('of version 4 is refused inside every form of version 6', () => {
    fc.assert(
      fc.property(blocked4, fc.constantFrom('::', '::ffff:', '64:ff9b::', '64:ff9b:1::', '2002:'), (address, form) => {
        const [high, low] = [(address >>> 16).toString(16), (address & 0xffff).toString(16)];
        const url = `http://[${form}${high}:${low}${form === '2002:' ? '::' : ''}]/`;
        expect({ ...checkTarget(url, generous, none), url }).toMatchObject({ url, verdict: 'block', reason: 'restricted_ip' });
      }),
      runs,
    );
  });

  it('of version 6 is refused written short, in full, in capitals and with a port', () => {
    fc.assert(
      fc.property(fc.constantFrom(...blockedIPv6), fc.array(fc.nat(0xffff), { minLength: 8, maxLength: 8 }), fc.nat(3), ([range], noise, style) => {
        const [address = '', bits = ''] = range.split('/');
        const base = fullGroups(address);
        const groups = base.map((group, index) => {
          const free = Math.min(16, Math.max(0, 16 * (index + 1) - Number(bits)));
          return group | ((noise[index] as number) & (2 ** free - 1));
        });
        const text = groups.map((group) => (style === 1 ? group.toString(16).padStart(4, '0') : group.toString(16))).join(':');
        const url = `http://[${style === 2 ? text.toUpperCase() : text}]${style === 3 ? ':81' : ''}/`;
        expect({ ...checkTarget(url, generous, none), url }).toMatchObject({ url, verdict: 'block', reason: 'restricted_ip' });
      }),
      runs,
    );
  });

  it('among the answers of a name is refused wherever it stands', () => {
    fc.assert(
      fc.property(blocked4, fc.nat(3), (address, at) => {
        const answers = ['93.184.216.34', '1.1.1.1', '8.8.8.8'];
        const addresses = [...answers.slice(0, at), spell4(address, 4, []), ...answers.slice(at)];
        expect(checkTarget('https://a.nip.example/', generous, { kind: 'answers', addresses })).toMatchObject({ verdict: 'block', reason: 'restricted_ip' });
      }),
      runs,
    );
  });
});

describe('a local or metadata name', () => {
  it('is refused in any case, with a dot at its end, with a port, and below another label', () => {
    const names = [...blockedHosts, ...blockedHostSuffixes.map((end) => `a.b${end}`)];
    for (const name of names)
      for (const host of [name, name.toUpperCase(), `${name}.`, `${name}:9200`, percent(name), `someone@${name}`])
        expect({ ...checkTarget(`http://${host}/`, { policy: { allow: [name] } }, none), host }).toMatchObject({ host, reason: 'local_name' });
  });
});

function fullGroups(address: string): readonly number[] {
  const [before = '', after = ''] = address.split('::');
  const head = before === '' ? [] : before.split(':');
  const tail = after === '' ? [] : after.split(':');
  return [...head, ...new Array<string>(8 - head.length - tail.length).fill('0'), ...tail].map((group) => Number.parseInt(group, 16));
}
