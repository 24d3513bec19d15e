import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { arity } from '@/lib/shell/arity-table';
import { neverGroup } from '@/lib/shell/never-group-table';
import * as otherTables from '@/lib/shell/tables';

const tables = { arity, neverGroup, ...otherTables };
const source = new URL('../../../../shared/design/tables.json', import.meta.url);

// The tables are copied by hand into the project; where their source is at hand both must say the same.
if (existsSync(source))
  it('the tables are those of the design', () => {
    const wanted = JSON.parse(readFileSync(source, 'utf8')) as Record<string, unknown>;
    for (const [name, table] of Object.entries(tables)) expect({ [name]: table }).toEqual({ [name]: wanted[name] });
  });

it('every wrapper value option belongs to a wrapper', () => {
  expect(Object.keys(tables.wrapperValueOptions).filter((name) => !Object.hasOwn(tables.wrappers, name))).toEqual([]);
});
