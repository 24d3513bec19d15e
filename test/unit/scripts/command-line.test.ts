import { execFileSync, spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { wrongUsage } from '@/scripts/support/command-line';

describe('a command line', () => {
  it('is told what is wrong with it, and not of options of another kind', () => {
    const node = "Unknown option '--x'. To specify a positional argument starting with a '-', place it at the end of the command after '--', as in '-- \"--x\"";
    expect(wrongUsage(new Error(node), 'usage: y')).toBe("Unknown option '--x'\n\nusage: y");
    expect(wrongUsage(new Error('One LOG is wanted.'), 'usage: y')).toBe('One LOG is wanted.\n\nusage: y');
  });

  it('that asks for help gets it, and that is no error', () => {
    for (const command of ['conformance', 'replay'])
      expect(execFileSync(process.execPath, [`scripts/${command}.mjs`, '--help'], { encoding: 'utf8' })).toMatch(new RegExp(`^usage: npm run ${command}`));
    const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/replay.mjs', '--', '--help'], { encoding: 'utf8' });
    expect({ status, stdout, stderr }).toEqual({ status: 1, stdout: '', stderr: 'There is no file --help.\n' });
  });
});
