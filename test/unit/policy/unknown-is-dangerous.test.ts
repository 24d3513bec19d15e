import { describe, expect, it } from 'vitest';
import type { Mode } from '@/lib/contracts/approval';
import type { Capability } from '@/lib/contracts/outcome';
import type { CallFacts } from '@/lib/contracts/policy';
import { approvalLevelOf, isReadOnly, stricterLevel } from '@/lib/policy/approval-level';
import { decide } from '@/lib/policy/decide';

const all: readonly Capability[] = ['read-only', 'writes-files', 'executes-code', 'network', 'sandboxable', 'requires-approval'];
const modes: readonly Mode[] = ['ask', 'auto-edit', 'auto'];
const decisions = (facts: Pick<CallFacts, 'tool' | 'input' | 'capabilities'>) =>
  modes.map(
    (mode) =>
      decide({ ...facts, inputLevel: approvalLevelOf(facts.capabilities), repairs: [], writes: [] }, { mode, grants: new Set(), denials: new Set() }).decision,
  );

describe('what capabilities derive', () => {
  it('is the level, for every set of them', () => {
    for (let set = 0; set < 1 << all.length; set++) {
      const declared = all.filter((_, bit) => set & (1 << bit));
      const acts = declared.includes('executes-code') || declared.includes('requires-approval');
      expect([declared, approvalLevelOf(declared)]).toEqual([declared, acts ? 'required' : declared.includes('writes-files') ? 'suggest' : 'auto']);
    }
  });

  it('is read-only, for every set of them', () => {
    for (let set = 0; set < 1 << all.length; set++) {
      const declared = all.filter((_, bit) => set & (1 << bit));
      const reads = declared.includes('read-only') && !declared.includes('writes-files') && !declared.includes('executes-code');
      expect([declared, isReadOnly(declared)]).toEqual([declared, reads]);
    }
  });

  it('never gets lower by a second opinion', () => {
    const levels = ['auto', 'suggest', 'required'] as const;
    expect(levels.map((a) => levels.map((b) => stricterLevel(a, b)))).toEqual([
      ['auto', 'suggest', 'required'],
      ['suggest', 'suggest', 'required'],
      ['required', 'required', 'required'],
    ]);
  });
});

describe('what is not known', () => {
  it('is at level required: a word that nobody knows', () => {
    const unknown = ['moves-money' as Capability];
    expect([unknown, ['read-only', ...unknown]].map((declared) => approvalLevelOf(declared as readonly Capability[]))).toEqual(['required', 'required']);
    expect(decisions({ tool: 'strange', input: {}, capabilities: unknown })).toEqual(['ask', 'ask', 'allow']);
  });

  it('makes a call that was repaired be asked for: its tool declares nothing, so it is not known to only read', () => {
    const repairs = [{ kind: 'argument', rung: 'trailing_commas', note: 'n' }] as const;
    const facts = { tool: 'strange', input: {}, capabilities: [], inputLevel: 'auto', writes: [] } as const;
    const standing = { mode: 'ask', grants: new Set<string>(), denials: new Set<string>() } as const;
    expect([repairs, []].map((some) => decide({ ...facts, repairs: some }, standing)).map(({ decision, level }) => [decision, level])).toEqual([
      ['ask', 'required'],
      ['allow', 'auto'],
    ]);
    expect(decide({ ...facts, repairs: [] }, { ...standing, mode: 'plan' }).decision).toBe('deny');
  });

  it('asks in every mode: an address that cannot be read', () => {
    for (const url of ['docs example', 'file:///etc/passwd', '', 7])
      expect(decisions({ tool: 'fetch_url', input: { url }, capabilities: ['read-only', 'network'] })).toEqual(['ask', 'ask', 'ask']);
  });

  it('asks in every mode: a command that cannot be parsed', () => {
    expect(decisions({ tool: 'exec_shell', input: { command: 'ls "' }, capabilities: ['executes-code'] })).toEqual(['ask', 'ask', 'ask']);
  });
});
