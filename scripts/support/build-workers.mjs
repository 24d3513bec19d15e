import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';
import { readTypeLibraries } from './type-libraries.mjs';

/** Bundled in groups, since the compiler of the language worker takes long and changes rarely. */
const GROUPS = [
  { name: 'programs', kinds: ['shell', 'node', 'search'], inputs: [], define: () => ({}) },
  {
    name: 'language',
    kinds: ['language'],
    inputs: ['scripts/support/type-libraries.mjs', 'node_modules/typescript/package.json', 'node_modules/@types/node/package.json'],
    define: (root) => ({ TYPE_LIBRARIES: JSON.stringify(readTypeLibraries(root)) }),
  },
];

/**
 * Bundles the workers that run programs, searches and the compiler, when a source changed since the last time.
 *
 * In     `root` the project's folder; `target` `web` for static files in `public/generated`, `thread` for `worker_threads` in `.cache/workers`.
 * Out    the folder of the bundles.
 */
export async function buildWorkers(root, target) {
  const folder = path.join(root, target === 'web' ? 'public/generated' : '.cache/workers');
  await mkdir(folder, { recursive: true });
  await mkdir(path.join(root, '.cache'), { recursive: true });
  for (const group of GROUPS) await buildGroup(root, target, folder, group);
  return folder;
}

async function buildGroup(root, target, folder, group) {
  const stamp = path.join(root, '.cache', `workers-${target}-${group.name}.json`);
  if (await isFresh(root, stamp)) return;
  const entries = group.kinds.map((kind) =>
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
    minifyIdentifiers: target === 'web' && group.name === 'language',
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
    define: { ...(target === 'web' ? { 'process.env.NODE_ENV': '"production"', global: 'globalThis' } : {}), ...group.define(root) },
  });
  for (const file of result.outputFiles) {
    const draft = `${file.path}.${process.pid}.${Math.random().toString(36).slice(2)}`;
    await writeFile(draft, file.contents);
    await rename(draft, file.path);
  }
  const inputs = {};
  // What a package says a browser has not, and what is defined here, are no files.
  const read = Object.keys(result.metafile.inputs).filter((input) => !/^[<(]/.test(input));
  for (const input of [...read, ...group.inputs, 'scripts/support/build-workers.mjs']) inputs[input] = await signature(root, input);
  await writeFile(stamp, JSON.stringify({ outputs: result.outputFiles.map((file) => path.relative(root, file.path)), inputs }));
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
