type Directives = Readonly<Record<string, readonly string[]>>;

const policy = (directives: Directives): string =>
  Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources.join(' ')}`)
    .join('; ');

const everywhere: Directives = {
  'default-src': ["'self'"],
  'style-src': ["'self'", "'unsafe-inline'"],
  'img-src': ["'self'", 'data:', 'blob:'],
  'font-src': ["'self'"],
  'worker-src': ["'self'", 'blob:'],
  'object-src': ["'none'"],
  'base-uri': ["'none'"],
  'form-action': ["'self'"],
  'frame-ancestors': ["'none'"],
};

/** The vendor's host of WebContainer: asked only once a person has chosen it. */
const webContainerHost = 'https://stackblitz.com';

/**
 * The policy of a page: scripts by nonce, requests to this origin only. Models are asked from the worker.
 *
 * In     `development`: React's error overlay compiles text, so `next dev` needs `'unsafe-eval'`; a build never has it.
 */
export function pagePolicy(nonce: string, development: boolean): string {
  const scripts = ["'self'", `'nonce-${nonce}'`, "'strict-dynamic'", "'wasm-unsafe-eval'"];
  return policy({
    ...everywhere,
    'script-src': development ? [...scripts, "'unsafe-eval'"] : scripts,
    'connect-src': ["'self'", webContainerHost],
    'frame-src': ["'self'", webContainerHost],
  });
}

/**
 * The policy of a page that was made at build time, for a `meta` element: scripts by the hashes of what stands in it.
 *
 * In     `hashes` such as `sha256-…`. A `meta` cannot say who may frame the page.
 */
export function staticPagePolicy(hashes: readonly string[]): string {
  const { 'frame-ancestors': _, ...rest } = everywhere;
  return policy({
    ...rest,
    'script-src': ["'self'", ...hashes.map((hash) => `'${hash}'`), "'wasm-unsafe-eval'"],
    'connect-src': ["'self'", webContainerHost],
    'frame-src': ["'self'", webContainerHost],
  });
}

/**
 * The policy of what lies under `/_next/static`, and so of the engine's worker: a worker obeys the policy of its own script. The bundler
 * starts every worker from the same file, so this cannot be narrower for one of them.
 */
export function bundlePolicy(): string {
  return policy({
    ...everywhere,
    'script-src': ["'self'", "'wasm-unsafe-eval'"],
    // The model endpoints that a person connects.
    'connect-src': ["'self'", 'https:', 'http://localhost:*', 'http://127.0.0.1:*'],
  });
}

/**
 * The policy of the workers under `/generated`: no network, no further workers, nothing loaded.
 *
 * In     `runsPrograms`: the one that runs a person's code may compile it, from text or from `blob:`; that is its work.
 */
export function programPolicy(runsPrograms: boolean): string {
  return policy({
    'default-src': ["'none'"],
    'script-src': runsPrograms ? ["'unsafe-eval'", 'blob:'] : ["'none'"],
    'worker-src': ["'none'"],
    'base-uri': ["'none'"],
    'form-action': ["'none'"],
    'frame-ancestors': ["'none'"],
  });
}

/** Headers that every answer carries; the first two make the page cross-origin isolated, which shared memory needs. */
export const fixedHeaders: Readonly<Record<string, string>> = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};
