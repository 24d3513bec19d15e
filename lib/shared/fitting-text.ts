/** A place in a text (UTF-16) and the UTF-8 bytes between it and the end it was counted from. */
export interface FittingText {
  readonly at: number;
  readonly bytes: number;
}

const encoder = new TextEncoder();
/** Texts are cut by the thousand: one room serves all that are not longer than a usual cut. */
const scratch = new Uint8Array(131_072);

/** As many whole code points from the start of `text` as fit into `limitBytes` of UTF-8; `at` is where they end. */
export function fittingHead(text: string, limitBytes: number): FittingText {
  // A unit is a byte at least: what stands behind so many does not fit.
  const most = Math.max(0, limitBytes);
  return encoded(text.slice(0, most), most);
}

/** As `fittingHead`, from the end; `at` is where they begin. */
export function fittingTail(text: string, limitBytes: number): FittingText {
  const from = Math.max(0, text.length - limitBytes);
  const end = text.slice(from);
  let { bytes } = encoded(end, end.length * 3);
  let at = 0;
  while (bytes > limitBytes) {
    const isPair = (end.codePointAt(at) as number) > 0xffff;
    bytes -= isPair ? 4 : unitBytes(end.charCodeAt(at));
    at += isPair ? 2 : 1;
  }
  return { at: from + at, bytes };
}

/** The encoder stops before the first code point that has no room, which is quicker than counting. */
function encoded(text: string, limitBytes: number): FittingText {
  const room = limitBytes <= scratch.length ? scratch.subarray(0, limitBytes) : new Uint8Array(Math.min(limitBytes, text.length * 3));
  const { read, written } = encoder.encodeInto(text, room);
  return { at: read, bytes: written };
}

function unitBytes(unit: number): number {
  return unit < 0x80 ? 1 : unit < 0x800 ? 2 : 3;
}

/** `at`, or the start of the code point that it would split. */
export function characterStart(text: string, at: number): number {
  return at > 0 && (text.charCodeAt(at) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800 ? at - 1 : at;
}

/** A lone surrogate becomes U+FFFD, as it would be encoded. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd');
}
