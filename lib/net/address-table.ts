/** An address range that is never connected to, and what it is. */
export type BlockedRange = readonly [range: string, what: string];

/** IPv4 ranges that no request reaches. Source the special-purpose registries of IANA, and the metadata addresses of clouds. */
export const blockedIPv4: readonly BlockedRange[] = [
  ['0.0.0.0/8', 'this network'],
  ['10.0.0.0/8', 'private'],
  ['100.64.0.0/10', 'carrier-grade NAT (holds the Alibaba metadata address 100.100.100.200)'],
  ['127.0.0.0/8', 'loopback'],
  ['169.254.0.0/16', 'link-local (holds the metadata address 169.254.169.254)'],
  ['172.16.0.0/12', 'private'],
  ['192.0.0.0/24', 'IETF protocol assignments (holds the Oracle metadata address 192.0.0.192)'],
  ['192.0.2.0/24', 'documentation 1'],
  ['192.88.99.0/24', '6to4 relay anycast'],
  ['192.168.0.0/16', 'private'],
  ['198.18.0.0/15', 'benchmarking'],
  ['198.51.100.0/24', 'documentation 2'],
  ['203.0.113.0/24', 'documentation 3'],
  ['224.0.0.0/4', 'multicast'],
  ['240.0.0.0/4', 'reserved, with the broadcast address 255.255.255.255'],
];

/** The same for IPv6; forms that carry an IPv4 address inside are refused whole. */
export const blockedIPv6: readonly BlockedRange[] = [
  ['::/96', 'unspecified, loopback and IPv4-compatible'],
  ['::ffff:0:0/96', 'IPv4-mapped'],
  ['64:ff9b::/96', 'NAT64'],
  ['64:ff9b:1::/48', 'local-use NAT64'],
  ['100::/64', 'discard only'],
  ['2001::/32', 'Teredo'],
  ['2001:db8::/32', 'documentation'],
  ['2002::/16', '6to4'],
  ['fc00::/7', 'unique local (holds the metadata address fd00:ec2::254)'],
  ['fe80::/10', 'link-local'],
  ['fec0::/10', 'site-local (old)'],
  ['ff00::/8', 'multicast'],
];

/** Names of this machine and of the metadata services of clouds. */
export const blockedHosts: readonly string[] = [
  'localhost',
  'localhost.localdomain',
  'ip6-localhost',
  'ip6-loopback',
  'metadata',
  'metadata.google.internal',
  'metadata.goog',
  'instance-data',
  'instance-data.ec2.internal',
  'metadata.azure.internal',
  'metadata.tencentyun.com',
];

/** Ends of names that stand for this machine. */
export const blockedHostSuffixes: readonly string[] = ['.localhost', '.localdomain'];
