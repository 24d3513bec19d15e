import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { isInstalled } from '@/scripts/prepare.mjs';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'prepare-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const write = (path: string, packages: Record<string, { version?: string; integrity?: string; optional?: boolean }>): void => {
  mkdirSync(join(root, 'node_modules'), { recursive: true });
  writeFileSync(join(root, path), JSON.stringify({ packages }));
};

const react = { version: '19.0.0', integrity: 'sha512-a' };
const other = { version: '1.0.0', integrity: 'sha512-b', optional: true };

it('nothing is installed where npm left no record', () => {
  write('package-lock.json', { '': {}, 'node_modules/react': react });
  expect(isInstalled(root)).toBe(false);
});

it('a record that agrees with the lock is installed, also without packages of other platforms', () => {
  write('package-lock.json', { '': {}, 'node_modules/react': react, 'node_modules/other': other });
  write('node_modules/.package-lock.json', { 'node_modules/react': react });
  expect(isInstalled(root)).toBe(true);
});

it('another version, another content or a missing package is not installed', () => {
  write('package-lock.json', { '': {}, 'node_modules/react': react });
  write('node_modules/.package-lock.json', { 'node_modules/react': { ...react, version: '18.0.0' } });
  expect(isInstalled(root)).toBe(false);
  write('node_modules/.package-lock.json', { 'node_modules/react': { ...react, integrity: 'sha512-z' } });
  expect(isInstalled(root)).toBe(false);
  write('node_modules/.package-lock.json', {});
  expect(isInstalled(root)).toBe(false);
});
