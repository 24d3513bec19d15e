import { describe, expect, it } from 'vitest';
import type { SpillRef } from '@/lib/contracts/ids';
import { cutShellOutput } from '@/lib/pipeline/5-backfill/cut';
import { cutMarker, joinCut } from '@/lib/pipeline/5-backfill/cut-marker';

const ref = 'spill-t-1' as SpillRef;

describe('the marker of a cut', () => {
  it('says how to fetch what was saved', () => {
    expect(cutMarker({ kind: 'saved', ref })).toBe('Full output saved; call retrieve_tool_result ref=spill-t-1 to view it.');
  });

  it('names no ref when it cannot be fetched, and says why', () => {
    expect(cutMarker({ kind: 'lost', reason: 'the storage of this browser is full.' })).toBe(
      'Full output not kept and cannot be fetched: the storage of this browser is full.',
    );
    expect(cutMarker({ kind: 'no-tool', ref })).toBe(
      'Full output saved for the person; the rest cannot be fetched from here, because the tool that reads stored results is switched off.',
    );
  });

  it('states what a capture limit lost', () => {
    expect(cutMarker({ kind: 'saved', ref }, { producedBytes: 3_000_000, storedBytes: 1_048_576 })).toBe(
      'Full output saved; call retrieve_tool_result ref=spill-t-1 to view it. The command produced 3000000 bytes; 1048576 were stored, 1951424 are lost (capture limit).',
    );
    expect(cutMarker({ kind: 'saved', ref }, { producedBytes: 10, storedBytes: 10 })).toBe(cutMarker({ kind: 'saved', ref }));
  });

  it('stands between head and tail, after the lines of note', () => {
    const cut = cutShellOutput('aaaa\nbb\nerror: c\ndd\nee\n', { capBytes: 10, headBytes: 5, tailBytes: 3 });
    expect(joinCut(cut, 'MARK')).toBe('aaaa\n[15 bytes left out; lines of note among them:]\nerror: c\nMARK\nee\n');
    expect(joinCut(cutShellOutput('short'), 'MARK')).toBe('short');
  });
});
