import { spawn } from 'node:child_process';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

/** The command as a person runs it, its own process with real program workers. */
function turn(...args: readonly string[]): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }> {
  const child = spawn(process.execPath, [path.resolve('scripts/turn.mjs'), ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const out = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) child[name].setEncoding('utf8').on('data', (text: string) => (out[name] += text));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, ...out })));
}

// A task that is allowed everything is done, and so is one that only has to leave things as they are when it is allowed nothing.
describe('npm run turn -- --task', { timeout: 120_000 }, () => {
  it.each([
    ['add-a-feature', 'all', 'anthropic', 0, 'passed. The boats are added up, printed, tested and committed'],
    ['add-a-feature', 'none', 'openai-chat', 2, 'failed. There is no boatTotals in src/boats.ts.'],
    ['watch-it-misbehave', 'none', 'anthropic', 0, 'passed. The sources, the tests and every other file are as they were.'],
    ['watch-it-misbehave', 'all', 'openai-chat', 2, 'failed. src/harbour.ts is gone'],
  ] as const)('%s --approve %s over %s exits with %i', async (task, approve, wire, code, verdict) => {
    const ran = await turn('--task', task, '--approve', approve, '--wire', wire);
    expect([ran.code, ran.stderr]).toEqual([code, '']);
    expect(ran.stdout).toContain('\nturn yielded\n');
    expect(ran.stdout).toContain(`check of ${task}: ${verdict}`);
  });
});
