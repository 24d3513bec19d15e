import { argumentError } from './fs-error';

/** The path of a `file:` URL. */
export function fileURLToPath(url: string | URL): string {
  const parsed = typeof url === 'string' ? new URL(url) : url;
  if (!(parsed instanceof URL)) throw argumentError('path', 'string or an instance of URL', url);
  if (parsed.protocol !== 'file:') throw Object.assign(new TypeError('The URL must be of scheme file'), { code: 'ERR_INVALID_URL_SCHEME' });
  return decodeURIComponent(parsed.pathname);
}

/** The `file:` URL of an absolute path. */
export function pathToFileURL(path: string): URL {
  return new URL(`file://${path.split('/').map(encodeURIComponent).join('/')}`);
}

interface LegacyUrl {
  protocol: string | null;
  auth: string | null;
  host: string | null;
  port: string | null;
  hostname: string | null;
  hash: string | null;
  search: string | null;
  query: string | Record<string, string> | null;
  pathname: string | null;
  path: string | null;
  href: string;
}

/** `url.parse`, by way of the standard's parser. */
export function parse(text: string, parseQuery = false): LegacyUrl {
  const absolute = /^[a-z][a-z0-9+.-]*:/i.test(text);
  const url = new URL(text, 'http://relative.invalid');
  const search = url.search === '' ? null : url.search;
  return {
    protocol: absolute ? url.protocol : null,
    auth: url.username === '' ? null : url.username + (url.password === '' ? '' : `:${url.password}`),
    host: absolute ? url.host : null,
    port: url.port === '' ? null : url.port,
    hostname: absolute ? url.hostname : null,
    hash: url.hash === '' ? null : url.hash,
    search,
    query: parseQuery ? Object.fromEntries(url.searchParams) : (search?.slice(1) ?? null),
    pathname: url.pathname,
    path: url.pathname + url.search,
    href: absolute ? url.href : text,
  };
}

export function format(url: URL | Partial<LegacyUrl>): string {
  if (url instanceof URL) return url.href;
  const host = url.host ?? (url.hostname ? url.hostname + (url.port ? `:${url.port}` : '') : '');
  const protocol = url.protocol ? `${url.protocol.replace(/:$/, '')}:` : '';
  return `${protocol}${host === '' ? '' : '//'}${host}${url.pathname ?? ''}${url.search ?? ''}${url.hash ?? ''}`;
}

export function resolve(from: string, to: string): string {
  const base = new URL(from, 'resolve://');
  const url = new URL(to, base);
  return url.protocol === 'resolve:' ? url.pathname + url.search + url.hash : url.href;
}

export const urlModule = {
  URL,
  URLSearchParams,
  fileURLToPath,
  pathToFileURL,
  parse,
  format,
  resolve,
  domainToASCII: (domain: string) => new URL(`http://${domain}`).hostname,
};
