import { describe, expect, it } from 'vitest';
import { addressBytes, blockedRange } from '@/lib/net/address-class';
import { checkChain, checkTarget } from '@/lib/net/check-target';
import { coversHost } from '@/lib/net/host-entry';

const open = { policy: { default: 'allow' } } as const;
const atConnect = { kind: 'at-connect' } as const;

describe('addresses', () => {
  it('are read in every spelling, and nothing else is', () => {
    expect(['127.0.0.1', '127.1', '0x7f.1', '2130706433', '0177.0.0.1', '[::1]', 'fe80::1%eth0', '::ffff:127.0.0.1'].map(addressBytes)).toEqual([
      [127, 0, 0, 1],
      [127, 0, 0, 1],
      [127, 0, 0, 1],
      [127, 0, 0, 1],
      [127, 0, 0, 1],
      [...new Array<number>(15).fill(0), 1],
      [0xfe, 0x80, ...new Array<number>(13).fill(0), 1],
      [...new Array<number>(10).fill(0), 255, 255, 127, 0, 0, 1],
    ]);
    expect(['', 'example.com', '1.2.3.4.5', '256.1.1.1', ':::', 'fe80', 'deadbeef', '1.2.3.4/8'].map(addressBytes)).toEqual(new Array(8).fill(undefined));
  });

  it('beside a blocked range are free', () => {
    expect(
      ['9.255.255.255', '11.0.0.0', '126.255.255.255', '128.0.0.0', '191.255.255.255', '223.255.255.255', '2001:1::', '::1:0:0:0'].map(blockedRange),
    ).toEqual(new Array(8).fill(undefined));
  });
});

describe('host entries', () => {
  it('of any spelling that is read as one host cover it; what holds more than a host covers nothing', () => {
    expect(coversHost('BÜCHER.example', 'xn--bcher-kva.example')).toBe(true);
    expect(coversHost('*.bücher.example', 'a.xn--bcher-kva.example')).toBe(true);
    expect(coversHost('[2606:4700:0::1111]', '2606:4700::1111')).toBe(true);
    expect(coversHost('2606:4700:0::1111', '2606:4700::1111')).toBe(true);
    expect(
      ['example.com:443', 'https://example.com', 'example.com/a', ' example.com', '*', '', '.', '*.'].filter((entry) => coversHost(entry, 'example.com')),
    ).toEqual([]);
  });

  it('for sub-domains end at a dot, and an address has none', () => {
    expect(['a.example.com', 'example.com', 'badexample.com', '.example.com'].filter((host) => coversHost('.example.com', host))).toEqual(['a.example.com']);
    expect(coversHost('.0.0.1', '127.0.0.1')).toBe(false);
  });
});

describe('a target', () => {
  it('whose name is resolved where it is connected is decided without its addresses', () => {
    expect(checkTarget('https://example.com/', open, atConnect)).toMatchObject({ verdict: 'allow', reason: 'public', host: 'example.com' });
    expect(checkTarget('https://example.com/', { policy: {} }, atConnect)).toMatchObject({ verdict: 'ask', reason: 'policy_ask' });
    expect(checkTarget('http://127.1/', open, atConnect)).toEqual({
      verdict: 'block',
      reason: 'restricted_ip',
      host: '127.0.0.1',
      detail: '127.0.0.1: loopback',
    });
  });

  it('with a name of this machine is refused in every spelling, and a name that only looks like one is not', () => {
    const reasonOf = (url: string) => {
      const said = checkTarget(url, open, atConnect);
      return `${url} ${said.reason}`;
    };
    const local = [
      'localdomain',
      'localhost..',
      'a.localhost...',
      'LOCALDOMAIN.',
      '%6cocalhost',
      'ⓛocalhost',
      'local\u00adhost',
      'localhost\u3002',
      '.localhost',
    ];
    expect(local.map((host) => reasonOf(`http://${host}/`))).toEqual(local.map((host) => `http://${host}/ local_name`));
    const public_ = ['notlocalhost', 'mylocaldomain', 'localhost.example', 'localdomain.example', 'metadata.example'];
    expect(public_.map((host) => reasonOf(`http://${host}/`))).toEqual(public_.map((host) => `http://${host}/ public`));
  });

  it('with an answer that cannot be read as an address is refused', () => {
    expect(checkTarget('https://example.com/', open, { kind: 'answers', addresses: ['93.184.216.34', 'hmm'] })).toMatchObject({ reason: 'restricted_ip' });
  });

  it('of an origin that a person configured is reached, and nothing else there', () => {
    const rules = { ...open, exemptOrigins: ['http://127.0.0.1:8080'] };
    expect(checkTarget('http://127.0.0.1:8080/a', rules, atConnect)).toMatchObject({ verdict: 'allow', reason: 'exempt_origin' });
    expect(checkTarget('http://127.0.0.1:8081/a', rules, atConnect)).toMatchObject({ verdict: 'block', reason: 'restricted_ip' });
    expect(checkTarget('https://127.0.0.1:8080/a', rules, atConnect)).toMatchObject({ verdict: 'block', reason: 'restricted_ip' });
    expect(checkTarget('http://127.0.0.1:8080/a', { ...rules, denied: ['127.0.0.1'] }, atConnect)).toMatchObject({ reason: 'policy_deny' });
  });

  it('of a configured origin cannot be reached by a redirect from elsewhere', () => {
    const rules = { ...open, exemptOrigins: ['http://127.0.0.1:8080'] };
    expect(checkChain('https://example.com/', atConnect, [{ to: 'http://127.0.0.1:8080/', resolution: atConnect }], rules)).toMatchObject({
      reason: 'restricted_ip',
    });
    expect(checkChain('http://127.0.0.1:8080/', atConnect, [{ to: '/b', resolution: atConnect }], rules)).toMatchObject({ reason: 'exempt_origin' });
  });
});
