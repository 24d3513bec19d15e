import type { Clock } from '@/lib/contracts/clock';
import type { PageRuntime } from '@/lib/contracts/page-runtime';
import type { Runtime } from '@/lib/contracts/runtime';
import { CodedError, messageOf } from '@/lib/shared/coded-error';
import { createWebContainerRuntime } from './create-webcontainer-runtime';
import type { WebContainerInstance } from './instance';

/** Milliseconds that the vendor's host gets to answer, and its boot to end. */
const limits = { probe: 8_000, boot: 40_000 };
const safe = 'Your files stay on the embedded runtime.';

export interface WebContainerPorts {
  /** The vendor's boot; called once in a page, since a second one would wait for the first. */
  readonly boot: () => Promise<WebContainerInstance>;
  /** Settles when the vendor's host answers at all. */
  readonly probe: (signal: AbortSignal) => Promise<unknown>;
  readonly page: { readonly secure: boolean; readonly isolated: boolean };
  /** Kept over page loads: a boot began and has not come to its end. */
  readonly bootMark: { get(): boolean; set(begun: boolean): void };
  readonly after: Clock['after'];
}

/**
 * The WebContainer of this page: one, whoever asks and however often.
 *
 * Out    see PageRuntime. A boot that took the page down is not tried again by itself, so there is no reload loop.
 */
export function createWebContainerStarter(ports: WebContainerPorts): PageRuntime {
  const crashedBefore = ports.bootMark.get();
  let boot: Promise<WebContainerInstance> | undefined;
  let starting: Promise<Runtime> | undefined;

  const start = async (): Promise<Runtime> => {
    if (boot === undefined) await probe(ports);
    ports.bootMark.set(true);
    try {
      boot ??= ports.boot();
      const instance = await within(boot, limits.boot, ports.after);
      return createWebContainerRuntime({
        instance,
        after: ports.after,
        onDispose() {
          boot = undefined;
          starting = undefined;
        },
      });
    } finally {
      // Also after a failure in words: the page lives, and that is what the mark is about.
      ports.bootMark.set(false);
    }
  };
  return {
    async start(asked) {
      const missing = whatIsMissing(ports.page);
      if (missing !== undefined) throw new CodedError('not-available', `WebContainer needs ${missing}. ${safe}`);
      if (asked === 'by-itself' && crashedBefore && starting === undefined)
        throw new CodedError(
          'not-available',
          `The last start of WebContainer did not come to its end; the page may have crashed. It was not started again by itself: choose it to try. ${safe}`,
        );
      if (starting === undefined) {
        const mine = start();
        starting = mine;
        mine.catch(() => {
          starting = undefined;
        });
      }
      return starting;
    },
  };
}

function whatIsMissing({ secure, isolated }: WebContainerPorts['page']): string | undefined {
  if (!secure) return 'a secure context (https, or this machine), and this page has none';
  return isolated
    ? undefined
    : 'cross-origin isolation (the headers Cross-Origin-Opener-Policy and Cross-Origin-Embedder-Policy), and this page was served without it';
}

async function probe({ probe: reach, after }: WebContainerPorts): Promise<void> {
  const controller = new AbortController();
  const cancel = after(limits.probe, () => controller.abort(new Error(`no answer within ${limits.probe / 1000} s`)));
  try {
    await reach(controller.signal);
  } catch (error) {
    throw new CodedError('not-available', `WebContainer comes from its vendor's host, which cannot be reached from here (${messageOf(error)}). ${safe}`);
  } finally {
    cancel();
  }
}

/** The instance, or a failure in words once the time is over: offline the vendor's boot settles never. */
function within(boot: Promise<WebContainerInstance>, limitMs: number, after: Clock['after']): Promise<WebContainerInstance> {
  return new Promise((resolve, reject) => {
    const cancel = after(limitMs, () =>
      reject(
        new CodedError(
          'not-available',
          `WebContainer did not start within ${limitMs / 1000} seconds. Choose it again to wait on, or reload the page to begin anew. ${safe}`,
        ),
      ),
    );
    boot
      .then(resolve, (error: unknown) =>
        reject(new CodedError('not-available', `WebContainer could not start: ${messageOf(error)}. Reload the page to try again. ${safe}`)),
      )
      .finally(cancel);
  });
}
