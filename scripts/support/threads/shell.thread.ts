import { startShellWorker } from '@/lib/runtime/embedded/shell/start-shell-worker';
import { createThreadScope } from './thread-scope';

startShellWorker(createThreadScope());
