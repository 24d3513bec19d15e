import { describe, expect, it } from 'vitest';
import type { WorkspaceId } from '@/lib/contracts/ids';
import type { FileSystemChange } from '@/lib/contracts/runtime';
import { createWorkspacePolicy } from '@/lib/engine/workspace-policy';
import { policyWithoutRules } from '@/lib/policy/starter-policy';
import { createMemoryStores } from '@/lib/storage/memory-stores';
import { createMemoryRuntimeFs } from '@/test/support/memory-runtime-fs';

const workspaceId = 'workspace-1' as WorkspaceId;
const one = '{"version": 1}';
const other = '{"version": 1, "default": "deny"}';

async function world(files: Record<string, string> = {}, acceptedPolicy?: string | null) {
  const stores = createMemoryStores();
  await stores.workspaces.put({ workspaceId, name: 'w', createdAt: 0, grants: [], ...(acceptedPolicy === undefined ? {} : { acceptedPolicy }) });
  const fs = createMemoryRuntimeFs(files);
  let hear: (changes: readonly FileSystemChange[]) => void = () => {};
  const watched = {
    ...fs,
    watch(_: string, listener: typeof hear) {
      hear = listener;
      return () => {};
    },
  };
  const policy = createWorkspacePolicy(workspaceId, stores.workspaces);
  let told = 0;
  policy.subscribe(() => void told++);
  await policy.open(watched);
  return {
    policy,
    fs,
    told: () => told,
    change: (path: string) => hear([{ path, kind: 'changed' }]),
    stored: async () => (await stores.workspaces.get(workspaceId))?.acceptedPolicy,
  };
}

describe('the policy of a workspace', () => {
  it('is the starter policy where there is no file', async () => {
    const { policy } = await world();
    expect([policy.status(), policy.accepted(), policy.waiting()]).toEqual([{}, null, undefined]);
  });

  it('that came with its files waits until a person accepts exactly that text', async () => {
    const { policy, fs, stored } = await world({ 'gatehouse.policy.json': other });
    const { pending } = policy.status();
    expect([policy.status(), policy.waiting()]).toEqual([{ pending: { fingerprint: pending?.fingerprint } }, other]);
    await fs.writeFile('gatehouse.policy.json', one);
    expect(await policy.accept(pending?.fingerprint ?? '')).toBe(false);
    expect(policy.accepted()).toBe(null);
    expect(await policy.accept(policy.status().pending?.fingerprint ?? '')).toBe(true);
    expect([policy.status(), await stored()]).toEqual([{ inForce: policyWithoutRules }, one]);
  });

  it('stays the accepted one while another text lies there, a removed file too', async () => {
    const { policy, fs, change, told } = await world({ 'gatehouse.policy.json': one }, one);
    const before = told();
    await fs.writeFile('gatehouse.policy.json', '{"version": 1, "dney": []}');
    change('gatehouse.policy.json');
    await policy.refresh();
    expect(policy.status()).toEqual({
      inForce: policyWithoutRules,
      pending: {
        fingerprint: expect.any(String),
        problem: { line: 1, column: 16, message: '"dney" is no field of a policy. A misspelt field would change nothing silently.' },
      },
    });
    await fs.rm('gatehouse.policy.json');
    await policy.refresh();
    expect([policy.status(), told() - before]).toEqual([{ inForce: policyWithoutRules, pending: { fingerprint: 'removed' } }, 2]);
    expect([await policy.accept('removed'), policy.status()]).toEqual([true, {}]);
  });

  it('is accepted by writing it, and waits for nobody when the file comes back to it', async () => {
    const { policy, fs, stored } = await world();
    await policy.write(other);
    expect([policy.status().inForce, await stored(), fs.contents.has('gatehouse.policy.json')]).toEqual([
      { ...policyWithoutRules, default: 'deny' },
      other,
      true,
    ]);
    await fs.writeFile('gatehouse.policy.json', one);
    await policy.refresh();
    await fs.writeFile('gatehouse.policy.json', other);
    await policy.refresh();
    expect(policy.status()).toEqual({ inForce: { ...policyWithoutRules, default: 'deny' } });
    await policy.write(null);
    expect([policy.status(), await stored(), fs.contents.size]).toEqual([{}, null, 0]);
  });

  it('takes a text that a person allowed to be written, until that is taken back', async () => {
    const { policy, fs } = await world();
    const takeBack = policy.expect(one);
    await fs.writeFile('gatehouse.policy.json', one);
    await policy.refresh();
    expect(policy.status()).toEqual({ inForce: policyWithoutRules });
    takeBack();
    await policy.write(other);
    await fs.writeFile('gatehouse.policy.json', one);
    await policy.refresh();
    expect([policy.status().inForce, policy.waiting()]).toEqual([{ ...policyWithoutRules, default: 'deny' }, one]);
  });
});
