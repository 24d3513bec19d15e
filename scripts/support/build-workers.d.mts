/** Bundles the workers that run programs and searches, when a source changed since the last time; answers their folder. */
export function buildWorkers(root: string, target: 'web' | 'thread'): Promise<string>;
