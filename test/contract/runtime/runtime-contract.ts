import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Runtime } from '@/lib/contracts/runtime';
import { describeFileContract } from './file-contract';
import { describeProgramContract } from './program-contract';

export interface RuntimeWorld {
  readonly runtime: Runtime;
  /** A new runtime over what the first one stored; absent for a driver that keeps nothing. */
  readonly reopen?: () => Promise<Runtime>;
}

/** The suite that every driver passes. `makeWorld` answers a runtime with an empty workspace; it is disposed at the end. */
export function describeRuntimeContract(name: string, makeWorld: () => Promise<RuntimeWorld>): void {
  describe(`runtime contract: ${name}`, () => {
    let world: RuntimeWorld;
    beforeAll(async () => {
      world = await makeWorld();
    });
    afterAll(async () => {
      await world.runtime.dispose();
    });
    beforeEach(async () => {
      for (const entry of await world.runtime.fs.readdir('')) await world.runtime.fs.rm(entry.name, { recursive: true });
    });

    describeFileContract(() => world.runtime);
    describeProgramContract(() => world.runtime);

    it('what was written is there in the next runtime, empty folders too', async () => {
      if (!world.reopen) return;
      const { fs } = world.runtime;
      await fs.mkdir('kept/empty', { recursive: true });
      await fs.writeFile('kept/a.txt', 'first');
      await fs.writeFile('kept/gone.txt', 'x');
      await world.runtime.flush();
      await fs.writeFile('kept/a.txt', 'second');
      await fs.rm('kept/gone.txt');
      await world.runtime.flush();
      const next = await world.reopen();
      try {
        expect(await next.fs.readdir('kept')).toEqual([
          { name: 'a.txt', kind: 'file' },
          { name: 'empty', kind: 'directory' },
        ]);
        expect(new TextDecoder().decode(await next.fs.readFile('kept/a.txt'))).toBe('second');
      } finally {
        await next.dispose();
      }
    });
  });
}

/** Every driver is used up by `dispose`, so this part makes its own runtime. */
export function describeDisposeContract(name: string, makeWorld: () => Promise<RuntimeWorld>): void {
  it(`runtime contract: ${name}: dispose ends what runs, and nothing can be started afterwards`, async () => {
    const { runtime } = await makeWorld();
    const program = await runtime.spawn('sh', ['-c', 'sleep 60']);
    await runtime.dispose();
    expect(await program.exit).toBe(130);
    await expect(runtime.spawn('sh', ['-c', 'echo hi'])).rejects.toMatchObject({ code: 'not-available' });
    await runtime.dispose();
  });
}
