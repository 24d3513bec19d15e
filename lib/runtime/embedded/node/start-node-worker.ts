import type { WorkerScope } from '../protocol';
export function startNodeWorker(scope: WorkerScope): void { scope.post({ type: 'ready' }); }
