declare module 'path-browserify' {
  const path: typeof import('node:path');
  export default path;
}
declare module 'sha.js' {
  export default function createSha(name: string): { update(data: Uint8Array): unknown; digest(): Uint8Array };
}
declare module 'readable-stream' {
  // biome-ignore lint/style/noRestrictedImports: a type only, of the module that the library follows
  import stream = require('node:stream');
  export = stream;
}
