import type { Runtime } from '@/lib/contracts/runtime';
import { answering, portToSink, pumpToPort } from './ports';
import type { ProcessControl, RuntimeService } from './protocol';

/** Serves a runtime to the other side of the bridge; stream ends travel as ports, errors with their codes. */
export function serveRuntime(runtime: Runtime): RuntimeService {
  const { fs } = runtime;
  return {
    readFile: (path) => answering(() => fs.readFile(path)),
    readMany: (paths) => answering(() => fs.readMany(paths)),
    writeFile: (path, data) => answering(() => fs.writeFile(path, data)),
    readdir: (path) => answering(() => fs.readdir(path)),
    stat: (path) => answering(() => fs.stat(path)),
    mkdir: (path, recursive) => answering(() => fs.mkdir(path, { recursive })),
    rm: (path, recursive, force) => answering(() => fs.rm(path, { recursive, force })),
    rename: (from, to) => answering(() => fs.rename(from, to)),
    watch(path, port) {
      const unsubscribe = fs.watch(path, (changes) => port.postMessage(changes));
      untilClosed(port, unsubscribe);
    },
    serverReady(port) {
      const unsubscribe = runtime.onServerReady((number, url) => port.postMessage([number, url]));
      untilClosed(port, unsubscribe);
    },
    spawn: (command, args, options, output, input, control) =>
      answering(async () => {
        const child = await runtime.spawn(command, args, options);
        pumpToPort(child.output, output);
        portToSink(input, child.input);
        control.onmessage = (event: MessageEvent<ProcessControl>) => ('kill' in event.data ? child.kill() : child.resize(event.data));
        void child.exit.then((code) => control.postMessage(code));
      }),
    mount: (files) => answering(() => runtime.mount(files)),
    exportFiles: () => answering(() => runtime.exportFiles()),
    flush: () => answering(() => runtime.flush()),
  };
}

function untilClosed(port: MessagePort, unsubscribe: () => void): void {
  port.onmessage = () => {
    unsubscribe();
    port.close();
  };
}
