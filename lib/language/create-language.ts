import type { Clock } from '@/lib/contracts/clock';
import type { DiagnosticsReport, LanguagePort } from '@/lib/contracts/diagnostics';
import type { Runtime, SpawnWorker, WorkerPort } from '@/lib/contracts/runtime';
import type { ReadFiles } from '@/lib/contracts/tool-context';
import { decodeUtf8 } from '@/lib/shared/bytes';
import { CodedError, codeOf } from '@/lib/shared/coded-error';
import { isKnownFile, isPackageFile } from './known-files';
import type { LanguageAnswer, LanguageRequest } from './protocol';

export interface LanguagePorts {
  readonly runtime: Runtime;
  readonly files: ReadFiles;
  readonly spawnWorker: SpawnWorker;
  readonly clock: Pick<Clock, 'after'>;
}

/** A workspace that is larger is looked at in part, and the report says so. */
const filesLimit = 4_000;
const bytesLimit = 32 * 1024 * 1024;
/** One file that is larger is generated, not written. */
const fileBytesLimit = 2 * 1024 * 1024;
/** Declarations of installed packages; more, and what they export may be anything. */
const packageFilesLimit = 3_000;
/** The compiler holds much memory: after so long without a question its worker is let go. */
const idleMs = 5 * 60_000;

/**
 * Makes the language knowledge of a workspace.
 *
 * Order  the worker starts with the first question, or with `warm`. Each question first brings the worker what changed since the one before.
 */
export function createLanguage({ runtime, files, spawnWorker, clock }: LanguagePorts): LanguagePort {
  let worker: { readonly port: WorkerPort; readonly sent: Map<string, string> } | undefined;
  const waiting = new Map<number, { readonly settle: (answer: LanguageAnswer | CodedError) => void }>();
  let ids = 0;
  let stopIdling = () => {};
  let before: Promise<unknown> = Promise.resolve();

  const letGo = (why?: CodedError): void => {
    stopIdling();
    worker?.port.terminate();
    worker = undefined;
    for (const { settle } of [...waiting.values()]) settle(why ?? new CodedError('not-available', 'The workspace was closed.'));
  };
  const start = (): NonNullable<typeof worker> => {
    const port = spawnWorker('language');
    port.onMessage((message) => waiting.get((message as LanguageAnswer).id)?.settle(message as LanguageAnswer));
    port.onError((message) => letGo(new CodedError('not-available', `The language worker could not run: ${message}`)));
    return { port, sent: new Map() };
  };
  const ask = async (paths: readonly string[] | undefined): Promise<DiagnosticsReport> => {
    worker ??= start();
    const { port, sent } = worker;
    stopIdling();
    const seen = await readAll(runtime, files, paths);
    if (worker?.port !== port) throw new CodedError('not-available', 'The language worker could not run.');
    const changed: { path: string; text: string | null }[] = [];
    for (const [path, text] of seen.texts) if (sent.get(path) !== text) changed.push({ path, text });
    for (const path of sent.keys()) if (!seen.texts.has(path)) changed.push({ path, text: null });
    const id = ids++;
    const answer = await new Promise<LanguageAnswer | CodedError>((settle) => {
      waiting.set(id, { settle });
      const request: LanguageRequest = { id, files: changed, packagesUnknown: seen.packagesUnknown, paths };
      port.postMessage(request);
      for (const { path, text } of changed) if (text === null) sent.delete(path);
      for (const { path, text } of changed) if (text !== null) sent.set(path, text);
    });
    waiting.delete(id);
    if (waiting.size === 0) stopIdling = clock.after(idleMs, () => letGo());
    if (answer instanceof CodedError) throw answer;
    if (!answer.ok) {
      // What stopped the compiler once may be in what it holds: the next question begins afresh.
      letGo();
      throw new CodedError('not-available', `The language worker met an error: ${answer.message}`);
    }
    return seen.leftOut === undefined ? answer.report : { ...answer.report, leftOut: seen.leftOut };
  };

  const queue = (paths: readonly string[] | undefined): Promise<DiagnosticsReport> => {
    const asked = before.then(() => ask(paths));
    before = asked.catch(() => undefined);
    return asked;
  };

  return {
    knows: isKnownFile,
    warm(paths) {
      // One that runs has read it all before.
      if (worker === undefined) queue(paths).catch(() => undefined);
    },
    check(paths, signal) {
      if (signal?.aborted) return Promise.reject(new CodedError('cancelled', 'Nobody waits for the diagnostics any more.'));
      const asked = queue(paths);
      if (signal === undefined) return asked;
      return new Promise((resolve, reject) => {
        const stop = () => reject(new CodedError('cancelled', 'Nobody waits for the diagnostics any more.'));
        signal.addEventListener('abort', stop, { once: true });
        asked.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
      });
    },
    dispose: () => letGo(),
  };
}

interface Seen {
  readonly texts: ReadonlyMap<string, string>;
  readonly packagesUnknown: boolean;
  readonly leftOut?: string;
}

/** The texts of the workspace that the compiler may need; what was asked for comes first. */
async function readAll(runtime: Runtime, files: ReadFiles, asked: readonly string[] | undefined): Promise<Seen> {
  const own = (await files.listFiles({ includeHidden: true })).filter((path) => isKnownFile(path) && !path.split('/').includes('node_modules'));
  const wanted = [...new Set([...(asked ?? []), ...own])].filter(isKnownFile);
  const packages = await packageFiles(files);
  const packagesUnknown = packages.length > packageFilesLimit;
  const chosen = wanted.slice(0, filesLimit);
  const texts = new Map<string, string>();
  let bytes = 0;
  let tooLarge = 0;
  for (const { path, bytes: content } of await runtime.fs.readMany([...chosen, ...(packagesUnknown ? [] : packages)])) {
    if (content.length > fileBytesLimit || bytes + content.length > bytesLimit) {
      tooLarge++;
      continue;
    }
    bytes += content.length;
    texts.set(path, decodeUtf8(content));
  }
  const missing = wanted.length - chosen.length + tooLarge;
  const words = [
    ...(missing > 0 ? [`${missing} ${missing === 1 ? 'file was' : 'files were'} not looked at: the workspace is too large, or they are.`] : []),
    ...(packagesUnknown ? ['Installed packages were too many to look at, so nothing is said about what they export.'] : []),
  ].join(' ');
  return words === '' ? { texts, packagesUnknown } : { texts, packagesUnknown, leftOut: words };
}

async function packageFiles(files: ReadFiles): Promise<readonly string[]> {
  try {
    const all = await files.listFiles({ path: 'node_modules', includeIgnored: true, includeHidden: true });
    return all.filter((path) => isPackageFile(`/${path}`));
  } catch (error) {
    if (codeOf(error) === 'not-found') return [];
    throw error;
  }
}
