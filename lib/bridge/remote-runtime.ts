import * as Comlink from 'comlink';
import type { FileSystemChange, Runtime, RuntimeInfo } from '@/lib/contracts/runtime';
import { sinkToPort, streamFromPort, unwrap } from './ports';
import type { ProcessControl, RuntimeService } from './protocol';

/** A runtime that is served on the other side of `port`; same contract, one round trip a call. */
export function remoteRuntime(info: RuntimeInfo, port: MessagePort): Runtime {
  const remote = Comlink.wrap<RuntimeService>(port);
  const subscribe = <Message>(start: (end: MessagePort) => void, listener: (message: Message) => void): (() => void) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = (event: MessageEvent<Message>) => listener(event.data);
    start(channel.port2);
    return () => channel.port1.postMessage('end');
  };
  return {
    info,
    fs: {
      readFile: (path) => unwrap(remote.readFile(path)),
      readMany: (paths) => unwrap(remote.readMany([...paths])),
      writeFile: (path, data) => unwrap(remote.writeFile(path, data)),
      readdir: (path) => unwrap(remote.readdir(path)),
      stat: (path) => unwrap(remote.stat(path)),
      mkdir: (path, options) => unwrap(remote.mkdir(path, options?.recursive ?? false)),
      rm: (path, options) => unwrap(remote.rm(path, options?.recursive ?? false, options?.force ?? false)),
      rename: (from, to) => unwrap(remote.rename(from, to)),
      watch: (path, listener) =>
        subscribe(
          (end) => void remote.watch(path, Comlink.transfer(end, [end])),
          (changes: readonly FileSystemChange[]) => listener(changes),
        ),
    },
    async spawn(command, args, options = {}) {
      const [output, input, control] = [new MessageChannel(), new MessageChannel(), new MessageChannel()];
      const exit = new Promise<number>((resolve) => {
        control.port1.onmessage = (event: MessageEvent<number>) => {
          resolve(event.data);
          control.port1.close();
        };
      });
      const ends = [output.port2, input.port2, control.port2];
      await unwrap(remote.spawn(command, [...args], options, Comlink.transfer(output.port2, ends), input.port2, control.port2));
      const send = (message: ProcessControl) => control.port1.postMessage(message);
      return {
        output: streamFromPort(output.port1),
        input: sinkToPort(input.port1),
        exit,
        kill: () => send({ kill: true }),
        resize: (size) => send(size),
      };
    },
    mount: (files) => unwrap(remote.mount([...files])),
    exportFiles: () => unwrap(remote.exportFiles()),
    onServerReady: (listener) =>
      subscribe(
        (end) => void remote.serverReady(Comlink.transfer(end, [end])),
        ([number, url]: readonly [number, string]) => listener(number, url),
      ),
    flush: () => unwrap(remote.flush()),
    // The runtime belongs to the other side and lives on for its other users; only this end is let go.
    async dispose() {
      remote[Comlink.releaseProxy]();
      port.close();
    },
  };
}
