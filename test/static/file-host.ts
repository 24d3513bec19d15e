import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.ttf': 'font/ttf',
  '.json': 'application/json',
};

export interface FileHost {
  /** Address of the page, with its sub-path and a slash at the end. */
  readonly url: string;
  /** Paths that were asked for and are not there, or lie outside the sub-path. */
  readonly missed: readonly string[];
  close(): Promise<void>;
}

/** A plain static host: files of `folder` under `basePath`, a type for each, and no other header. */
export async function serveFiles(folder: string, basePath: string): Promise<FileHost> {
  const missed: string[] = [];
  const server = createServer(async (request, response) => {
    const pathname = decodeURIComponent(new URL(request.url ?? '/', 'http://host').pathname);
    const inside = pathname === basePath || pathname.startsWith(`${basePath}/`) ? pathname.slice(basePath.length) : undefined;
    const file =
      inside === undefined || inside.includes('..') ? undefined : path.join(folder, inside.endsWith('/') || inside === '' ? `${inside}/index.html` : inside);
    const found = file !== undefined && (await stat(file).catch(() => undefined))?.isFile();
    if (!file || !found) {
      missed.push(pathname);
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'content-type': types[path.extname(file)] ?? 'application/octet-stream' });
    createReadStream(file).pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}${basePath}/`,
    missed,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
