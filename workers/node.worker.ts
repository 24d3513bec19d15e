import './global-buffer';
import { startNodeWorker } from '@/lib/runtime/embedded/node/start-node-worker';
import { createWebScope } from './web-scope';

startNodeWorker(createWebScope());
