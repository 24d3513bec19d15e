import './global-buffer';
import { startShellWorker } from '@/lib/runtime/embedded/shell/start-shell-worker';
import { createWebScope } from './web-scope';

startShellWorker(createWebScope());
