/** What the stream library takes from its `process`; ticks are microtasks, so that they run before a program counts as ended. */
const shim = {
  env: {},
  stdout: undefined,
  stderr: undefined,
  version: '',
  versions: {},
  nextTick: (act: (...args: unknown[]) => void, ...args: unknown[]): void => queueMicrotask(() => act(...args)),
};
export default shim;
export const { env, stdout, stderr, version, versions, nextTick } = shim;
