import { utf8Length } from '@/lib/shared/bytes';
import { tailBytes } from '@/lib/shared/text-lines';

/** What a job wrote, as it comes: the newest bytes up to a cap, and how far it was looked at. */
export interface OutputBuffer {
  push(text: string): void;
  /** What came since the last take; `lostBytes` were let go before. */
  take(): { readonly text: string; readonly lostBytes: number };
  /** Something came since the last take. */
  readonly isNew: boolean;
  readonly producedBytes: number;
  readonly keptBytes: number;
  /** Everything that is still kept. */
  whole(): string;
  /** Lets go of all but the last `limitBytes`. */
  shrink(limitBytes: number): void;
}

interface Chunk {
  readonly text: string;
  readonly bytes: number;
}

/** Makes an empty buffer that keeps at most `capBytes` (UTF-8); over it the oldest chunks go. */
export function createOutputBuffer(capBytes: number): OutputBuffer {
  let chunks: Chunk[] = [];
  let producedBytes = 0;
  let keptBytes = 0;
  let takenBytes = 0;
  const dropOver = (limit: number) => {
    while (keptBytes > limit && chunks.length > 0) keptBytes -= (chunks.shift() as Chunk).bytes;
  };
  return {
    push(text) {
      const bytes = utf8Length(text);
      chunks.push({ text, bytes });
      producedBytes += bytes;
      keptBytes += bytes;
      dropOver(capBytes);
    },
    take() {
      const firstKept = producedBytes - keptBytes;
      const lostBytes = Math.max(0, firstKept - takenBytes);
      let at = firstKept;
      const fresh: string[] = [];
      for (const chunk of chunks) {
        if (at >= takenBytes) fresh.push(chunk.text);
        at += chunk.bytes;
      }
      takenBytes = producedBytes;
      return { text: fresh.join(''), lostBytes };
    },
    get isNew() {
      return producedBytes > takenBytes;
    },
    get producedBytes() {
      return producedBytes;
    },
    get keptBytes() {
      return keptBytes;
    },
    whole: () => chunks.map((chunk) => chunk.text).join(''),
    shrink(limitBytes) {
      // Seen and unseen stay apart, so that a take still finds where the new begins.
      let at = producedBytes - keptBytes;
      const parts = { seen: '', fresh: '' };
      for (const chunk of chunks) {
        parts[at >= takenBytes ? 'fresh' : 'seen'] += chunk.text;
        at += chunk.bytes;
      }
      const fresh = tailBytes(parts.fresh, limitBytes);
      const seen = tailBytes(fresh === parts.fresh ? parts.seen : '', limitBytes - utf8Length(fresh));
      chunks = [seen, fresh].filter((text) => text !== '').map((text) => ({ text, bytes: utf8Length(text) }));
      keptBytes = chunks.reduce((sum, chunk) => sum + chunk.bytes, 0);
    },
  };
}
