import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { bundlePolicy, fixedHeaders, programPolicy } from '@/security-headers';
import { withPolicy } from './page-hashes';

const built = '.cache/next-static';
const out = 'out';
/** Made pages as Next names them, and as a static host does. */
const pages: Readonly<Record<string, string>> = { 'index.html': 'index.html', '_not-found.html': '404.html' };

/** Puts together what a static host serves: pages with their policy, bundles, workers, icons, and `_headers` for hosts that read it. */
async function assemble(basePath: string): Promise<void> {
  await rm(out, { recursive: true, force: true });
  await mkdir(out);
  await cp('public', out, { recursive: true });
  await cp(path.join(built, 'static'), path.join(out, '_next/static'), { recursive: true });
  const server = path.join(built, 'server/app');
  for (const [from, to] of Object.entries(pages)) await writeFile(path.join(out, to), withPolicy(await readFile(path.join(server, from), 'utf8')));
  // Files that Next makes of routes, such as the icon.
  for (const name of await readdir(server)) if (name.endsWith('.body')) await cp(path.join(server, name), path.join(out, name.slice(0, -'.body'.length)));
  await writeFile(path.join(out, '_headers'), await headersFile(basePath));
  console.log(`The static build lies in ${out}/, to be served under ${basePath === '' ? '/' : `${basePath}/`}.`);
}

/** No two rules for one header match the same path, so that hosts which join them and hosts which choose agree. */
async function headersFile(basePath: string): Promise<string> {
  const rule = (at: string, headers: Readonly<Record<string, string>>) => [
    `${basePath}${at}`,
    ...Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`),
  ];
  const workers = await readdir(path.join(out, 'generated'));
  return [
    ...rule('/*', fixedHeaders),
    ...rule('/_next/static/*', { 'content-security-policy': bundlePolicy() }),
    ...workers.flatMap((name) => rule(`/generated/${name}`, { 'content-security-policy': programPolicy(name === 'node.worker.js') })),
    '',
  ].join('\n');
}

await assemble(process.env.BASE_PATH ?? '');
