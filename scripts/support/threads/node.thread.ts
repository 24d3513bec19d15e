import { startNodeWorker } from '@/lib/runtime/embedded/node/start-node-worker';
import { createThreadScope } from './thread-scope';

startNodeWorker(createThreadScope());
