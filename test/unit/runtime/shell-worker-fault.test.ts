import { expect, it } from 'vitest';
import type { FromProgram, ToProgram } from '@/lib/runtime/embedded/protocol';
import { startShellWorker } from '@/lib/runtime/embedded/shell/start-shell-worker';

it('a fault of the shell itself ends the command with its reason instead of leaving it to run for ever', async () => {
  const posted: FromProgram[] = [];
  let send: (message: ToProgram) => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    startShellWorker({
      post(message) {
        posted.push(message);
        if (message.type === 'exit') resolve();
      },
      onMessage: (listener) => {
        send = listener;
      },
      evaluate: () => undefined,
      onUncaught: () => undefined,
    });
  });
  // A request that the shell cannot have foreseen: names of commands that are no list.
  send({ type: 'shell', script: 'echo hello', cwd: '/w', env: { PWD: '/w' }, positional: [], hostCommands: undefined as unknown as readonly string[] });
  await ended;
  expect(posted.slice(-2)).toEqual([
    { type: 'output', fd: 2, data: expect.stringMatching(/^sh: .+\n$/) },
    { type: 'exit', code: 2, cwd: '/w', env: { PWD: '/w' } },
  ]);
});
