import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** A package of the bench folder, undefined where its packages are not installed. */
export async function loadPeer<Module>(name: string): Promise<Module | undefined> {
  try {
    const require = createRequire(path.resolve('test/bench/package.json'));
    return (await import(pathToFileURL(require.resolve(name)).href)) as Module;
  } catch {
    return undefined;
  }
}
