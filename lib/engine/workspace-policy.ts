import type { WorkspaceId } from '@/lib/contracts/ids';
import type { PolicyInForce, PolicyStatus } from '@/lib/contracts/policy';
import type { RuntimeFileSystem } from '@/lib/contracts/runtime';
import type { WorkspaceStore } from '@/lib/contracts/store';
import { isBroken, policyPath, readPolicyFile } from '@/lib/policy/policy-file';
import { decodeUtf8, encodeUtf8 } from '@/lib/shared/bytes';
import { fingerprintBytes } from '@/lib/shared/fingerprint-bytes';

/**
 * The policy of one workspace: what its file says, and what of it a person accepted. Only the accepted text decides; another one waits, whoever wrote
 * it. Shared by every session of the workspace that is open in this engine.
 */
export interface WorkspacePolicy {
  /** Begins to look at the files of the workspace, or of the runtime that it moved to. */
  open(files: RuntimeFileSystem): Promise<void>;
  status(): PolicyStatus;
  /** The text in force; null = there is none, the starter policy decides. */
  accepted(): string | null;
  /** The text that waits; null = the file is gone; undefined = nothing waits. */
  waiting(): string | null | undefined;
  /** Looks at the file again. Never rejects: a file that cannot be read changes nothing. */
  refresh(): Promise<void>;
  /** The person writes the file, or removes it, and accepts it by that. */
  write(text: string | null): Promise<void>;
  /** True when the text with this fingerprint waited; it is in force now. */
  accept(fingerprint: string): Promise<boolean>;
  /** The person saw this text and allowed a call to write it: it is accepted when the file holds it. Returns what takes that back. */
  expect(text: string | null): () => void;
  /** Told after every change. `unstored`: why what was accepted could not be stored. Returns the unsubscribe. */
  subscribe(listener: (unstored?: unknown) => void): () => void;
}

export function createWorkspacePolicy(workspaceId: WorkspaceId, store: WorkspaceStore): WorkspacePolicy {
  const listeners = new Set<(unstored?: unknown) => void>();
  const expected = new Set<{ readonly text: string | null }>();
  let files: RuntimeFileSystem | undefined;
  let unwatch = () => {};
  let accepted: string | null = null;
  let found: string | null = null;
  let inForce: PolicyInForce | undefined;
  let working: Promise<unknown> = Promise.resolve();

  /** One thing at a time, so that a look never falls between a write and its acceptance. */
  const inTurn = <Value>(work: () => Promise<Value>): Promise<Value> => {
    const next = working.then(work);
    working = next.catch(() => undefined);
    return next;
  };
  const tell = (unstored?: unknown) => {
    for (const listener of [...listeners]) listener(unstored);
  };
  const setAccepted = async (text: string | null) => {
    accepted = text;
    inForce = text === null ? undefined : readPolicyFile(text);
    let unstored: unknown;
    await store
      .update(workspaceId, (record) => ({ ...record, acceptedPolicy: text }))
      .catch((error: unknown) => {
        unstored = error;
      });
    tell(unstored);
  };
  const look = async () => {
    const read = await readText(files);
    if (read === undefined) return;
    const before = found;
    found = read;
    if (found !== accepted && [...expected].some(({ text }) => text === found)) return setAccepted(found);
    if (before !== found) tell();
  };
  const refresh = () => inTurn(look).catch(() => undefined);

  return {
    open(fresh) {
      unwatch();
      files = fresh;
      unwatch = fresh.watch('.', (changes) => {
        if (changes.some(({ path }) => path === policyPath)) void refresh();
      });
      return inTurn(async () => {
        const stored = (await store.get(workspaceId))?.acceptedPolicy ?? null;
        accepted = stored;
        inForce = stored === null ? undefined : readPolicyFile(stored);
        found = (await readText(files)) ?? null;
        tell();
      });
    },
    status() {
      const own = inForce === undefined ? {} : { inForce };
      if (found === accepted) return own;
      const read = found === null ? undefined : readPolicyFile(found);
      return { ...own, pending: { fingerprint: printOf(found), ...(read !== undefined && isBroken(read) ? { problem: read.broken } : {}) } };
    },
    accepted: () => accepted,
    waiting: () => (found === accepted ? undefined : found),
    refresh: () => refresh(),
    write: (text) =>
      inTurn(async () => {
        if (text === null) await files?.rm(policyPath, { force: true });
        else await files?.writeFile(policyPath, text);
        found = text;
        await setAccepted(text);
      }),
    accept: (fingerprint) =>
      inTurn(async () => {
        await look();
        if (found === accepted || printOf(found) !== fingerprint) return false;
        await setAccepted(found);
        return true;
      }),
    expect(text) {
      const one = { text };
      expected.add(one);
      return () => expected.delete(one);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function printOf(text: string | null): string {
  return text === null ? 'removed' : fingerprintBytes(encodeUtf8(text));
}

/** null = there is no such file; undefined = it could not be read. */
async function readText(files: RuntimeFileSystem | undefined): Promise<string | null | undefined> {
  try {
    const [file] = (await files?.readMany([policyPath])) ?? [];
    return file === undefined ? null : decodeUtf8(file.bytes);
  } catch {
    return undefined;
  }
}
