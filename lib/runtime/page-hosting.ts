import type { Runtime } from '@/lib/contracts/runtime';
import { type Mirror, mirrorRuntime } from './mirror-runtime';
import type { MovableRuntime } from './movable-runtime';

/** Lets workspaces live on a runtime that the page offers. The page has one, so one workspace at a time has it. */
export interface PageHosting {
  /**
   * Moves a workspace onto the offered runtime with all its files; without one, back onto its own.
   *
   * Fails  CodedError `busy` while a program runs in it, or in the workspace that has the page's runtime now; else as the runtimes do.
   *        The workspace then stays where it is.
   */
  move(workspace: MovableRuntime, offered: Runtime | undefined): Promise<void>;
}

export function createPageHosting(onProblem: (message: string) => void): PageHosting {
  let hosted: { readonly workspace: MovableRuntime; readonly mirror: Mirror } | undefined;

  const bringBack = async (): Promise<void> => {
    const guest = hosted;
    if (guest === undefined) return;
    await guest.workspace.moveTo(() => guest.mirror.leave());
  };
  return {
    async move(workspace, offered) {
      if (offered === undefined) {
        if (hosted?.workspace === workspace) await bringBack();
        return;
      }
      try {
        await bringBack();
        await workspace.moveTo(async (own) => {
          await furnish(offered, own);
          const mirror: Mirror = mirrorRuntime({
            source: offered,
            keeper: own,
            onProblem,
            onEnd() {
              if (hosted?.mirror === mirror) hosted = undefined;
            },
          });
          hosted = { workspace, mirror };
          return mirror.runtime;
        });
      } catch (error) {
        if (hosted?.workspace !== workspace) await offered.dispose();
        throw error;
      }
    },
  };
}

/** The files of `own`, and nothing else, in `offered`. */
async function furnish(offered: Runtime, own: Runtime): Promise<void> {
  await offered.fs.rm('', { recursive: true });
  const folders = async (folder: string): Promise<void> => {
    for (const entry of await own.fs.readdir(folder)) {
      if (entry.kind !== 'directory') continue;
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      await offered.fs.mkdir(path, { recursive: true });
      await folders(path);
    }
  };
  await folders('');
  await offered.mount(await own.exportFiles());
}
