import { utf8Length } from './bytes';
import { identifyBytes } from './file-kind';

const LIMIT_BYTES = 256 * 1024;

/** Text of a file for a diff: undefined when it is binary or larger than 256 KiB, null when there is no file. */
export function diffText(content: Uint8Array | string | null): string | null | undefined {
  if (content === null) return null;
  if (typeof content === 'string') return utf8Length(content) > LIMIT_BYTES ? undefined : content;
  if (content.length > LIMIT_BYTES) return undefined;
  const file = identifyBytes(content);
  return file.kind === 'text' ? file.text : undefined;
}
