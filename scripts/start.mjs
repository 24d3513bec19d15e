import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { projectRoot } from './layers.mjs';

const host = '127.0.0.1';
const port = Number(process.env.PORT ?? 3000);
const address = `http://localhost:${port}`;

/** Whether the port can be listened on; says why not otherwise. */
function portProblem() {
  if (!Number.isInteger(port) || port < 1 || port > 65_535) return Promise.resolve(`PORT must be a number from 1 to 65535, it is "${process.env.PORT}".`);
  return new Promise((done) => {
    const probe = createServer();
    probe.once('error', (/** @type {NodeJS.ErrnoException} */ error) =>
      done(
        error.code === 'EADDRINUSE'
          ? `Port ${port} is taken. Choose another: \`PORT=${port + 1} npm start\`.`
          : `Cannot listen on port ${port}: ${error.message}`,
      ),
    );
    probe.listen(port, host, () => probe.close(() => done(undefined)));
  });
}

async function untilServed() {
  for (;;) {
    try {
      await fetch(`http://${host}:${port}/icon.svg`, { method: 'HEAD' });
      return;
    } catch {
      await new Promise((done) => setTimeout(done, 50));
    }
  }
}

const problem = await portProblem();
if (problem) {
  console.error(problem);
  process.exit(1);
}
const server = spawn(process.execPath, [join(projectRoot, 'node_modules/next/dist/bin/next'), 'start', '-H', host, '-p', String(port)], {
  cwd: projectRoot,
  stdio: ['ignore', 'ignore', 'inherit'],
  env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1' },
});
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.on(signal, () => server.kill(signal));
server.on('exit', (code, signal) => process.exit(signal ? 0 : (code ?? 1)));
await untilServed();
console.log(`Gatehouse is served at ${address} (this machine only). Stop it with Ctrl+C.`);
