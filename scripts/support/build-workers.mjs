import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';

const KINDS = ['shell', 'node', 'search'];

/**
 * Bundles the workers that run programs and searches, when a source changed since the last time.
 *
 * In     `root` the project's folder; `target` `web` for static files in `public/generated`, `thread` for `worker_threads` in `.cache/workers`.
 * Out    the folder of the bundles.
 */
export async function buildWorkers(root, target) {
  const folder = path.join(root, target === 'web' ? 'public/generated' : '.cache/workers');
  const stamp = path.join(root, '.cache', `workers-${target}.json`);
  await mkdir(folder, { recursive: true });
  await mkdir(path.dirname(stamp), { recursive: true });
  if (await isFresh(root, stamp)) return folder;
  const entries = KINDS.map((kind) =>
    target === 'web' ? { in: `workers/${kind}.worker.ts`, out: `${kind}.worker` } : { in: `scripts/support/threads/${kind}.thread.ts`, out: `${kind}.worker` },
  );
  const result = await build({
    absWorkingDir: root,
    entryPoints: entries,
    outdir: folder,
    bundle: true,
    write: false,
    metafile: true,
    format: target === 'web' ? 'iife' : 'cjs',
    outExtension: { '.js': target === 'web' ? '.js' : '.cjs' },
    platform: target === 'web' ? 'browser' : 'node',
    target: 'es2022',
    // Names stay as they are: programs see those of Node's classes.
    minifySyntax: target === 'web',
    minifyWhitespace: target === 'web',
    legalComments: 'none',
    logLevel: 'error',
    alias: {
      'node:zlib': path.join(root, 'shims/zlib.ts'),
      buffer: path.join(root, 'node_modules/buffer/index.js'),
      events: path.join(root, 'node_modules/events/events.js'),
    },
    plugins: [
      {
        name: 'process-of-the-stream-library',
        setup: (hooks) => hooks.onResolve({ filter: /^process\/?$/ }, () => ({ path: path.join(root, 'lib/runtime/embedded/node/process-shim.ts') })),
      },
    ],
    define: target === 'web' ? { 'process.env.NODE_ENV': '"production"', global: 'globalThis' } : {},
  });
  for (const file of result.outputFiles) {
    const draft = `${file.path}.${process.pid}.${Math.random().toString(36).slice(2)}`;
    await writeFile(draft, file.contents);
    await rename(draft, file.path);
  }
  const inputs = {};
  for (const input of [...Object.keys(result.metafile.inputs), 'scripts/support/build-workers.mjs']) inputs[input] = await signature(root, input);
  await writeFile(stamp, JSON.stringify({ outputs: result.outputFiles.map((file) => path.relative(root, file.path)), inputs }));
  return folder;
}

async function isFresh(root, stamp) {
  try {
    const { outputs, inputs } = JSON.parse(await readFile(stamp, 'utf8'));
    for (const output of outputs) await stat(path.join(root, output));
    for (const [input, known] of Object.entries(inputs)) if ((await signature(root, input)) !== known) return false;
    return true;
  } catch {
    return false;
  }
}

async function signature(root, input) {
  const { mtimeMs, size } = await stat(path.join(root, input));
  return `${mtimeMs}:${size}`;
}
