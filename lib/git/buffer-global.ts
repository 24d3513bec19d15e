import { Buffer } from 'buffer';

// isomorphic-git takes Buffer from the global scope, which workers do not have. Imported before it, since imports are hoisted.
const scope = globalThis as { Buffer?: unknown };
scope.Buffer ??= Buffer;
