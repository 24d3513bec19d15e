import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { blockedRange } from '@/lib/net/address-class';
import * as tables from '@/lib/net/address-table';

const source = new URL('../../../../shared/design/tables.json', import.meta.url);

// The tables are copied by hand into the project; where their source is at hand both must say the same.
if (existsSync(source))
  it('the ranges and names are those of the design', () => {
    const wanted = JSON.parse(readFileSync(source, 'utf8')) as Record<string, unknown>;
    for (const [name, table] of Object.entries(tables)) expect({ [name]: table }).toEqual({ [name]: wanted[name] });
  });

it('the first address of every range lies in it', () => {
  for (const said of [...tables.blockedIPv4, ...tables.blockedIPv6]) expect(blockedRange(said[0].split('/')[0] ?? '')?.[1]).toBe(said[1]);
});
