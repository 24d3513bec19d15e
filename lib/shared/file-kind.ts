/** What the bytes of a file are; `note` tells a reader of the text what is unusual about them. */
export type FileKind =
  | { readonly kind: 'text'; readonly text: string; readonly bom: boolean; readonly exact: boolean }
  | { readonly kind: 'image'; readonly format: string; readonly width?: number; readonly height?: number }
  | { readonly kind: 'binary'; readonly what: string };

const SNIFF_BYTES = 8192;
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder('utf-8', { ignoreBOM: true });

const SIGNATURES: readonly (readonly [what: string, bytes: readonly number[], at?: number])[] = [
  ['a PDF document', [0x25, 0x50, 0x44, 0x46, 0x2d]],
  ['a ZIP archive (or a document built on one)', [0x50, 0x4b, 0x03, 0x04]],
  ['a gzip file', [0x1f, 0x8b]],
  ['a WebAssembly module', [0x00, 0x61, 0x73, 0x6d]],
  ['a WOFF2 font', [0x77, 0x4f, 0x46, 0x32]],
  ['a WOFF font', [0x77, 0x4f, 0x46, 0x46]],
  ['an SQLite database', [0x53, 0x51, 0x4c, 0x69, 0x74, 0x65, 0x20, 0x66]],
  ['an ELF program', [0x7f, 0x45, 0x4c, 0x46]],
  ['an MP4 video', [0x66, 0x74, 0x79, 0x70], 4],
  ['an MP3 recording', [0x49, 0x44, 0x33]],
];

/**
 * Tells text from images and other binary files, by content alone.
 *
 * Out    text carries its string without the byte-order mark; `bom` says that there was one, `exact` that encoding the
 *        string again gives the same bytes (false: some were not UTF-8 and read as U+FFFD).
 */
export function identifyBytes(bytes: Uint8Array): FileKind {
  const image = identifyImage(bytes);
  if (image !== undefined) return image;
  for (const [what, signature, at = 0] of SIGNATURES) {
    if (signature.every((byte, index) => bytes[at + index] === byte)) return { kind: 'binary', what };
  }
  if (bytes.subarray(0, SNIFF_BYTES).includes(0)) return { kind: 'binary', what: 'a binary file' };
  const bom = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const body = bom ? bytes.subarray(3) : bytes;
  try {
    return { kind: 'text', text: strict.decode(body), bom, exact: true };
  } catch {
    const text = lenient.decode(body);
    return mostlyUnreadable(text) ? { kind: 'binary', what: 'a binary file' } : { kind: 'text', text, bom, exact: false };
  }
}

function identifyImage(bytes: Uint8Array): FileKind | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const ascii = (at: number, length: number): string => String.fromCharCode(...bytes.subarray(at, at + length));
  if (ascii(0, 8) === '\x89PNG\r\n\x1a\n') {
    return bytes.length >= 24 ? { kind: 'image', format: 'PNG', width: view.getUint32(16), height: view.getUint32(20) } : { kind: 'image', format: 'PNG' };
  }
  if (/^GIF8[79]a$/.test(ascii(0, 6))) {
    return bytes.length >= 10
      ? { kind: 'image', format: 'GIF', width: view.getUint16(6, true), height: view.getUint16(8, true) }
      : { kind: 'image', format: 'GIF' };
  }
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return { kind: 'image', format: 'JPEG', ...jpegSize(view) };
  if (ascii(0, 4) === 'RIFF' && ascii(8, 4) === 'WEBP') return { kind: 'image', format: 'WebP' };
  if (ascii(0, 2) === 'BM' && bytes.length >= 26 && view.getUint32(6, true) === 0)
    return { kind: 'image', format: 'BMP', width: view.getUint32(18, true), height: Math.abs(view.getInt32(22, true)) };
  if (bytes[0] === 0 && bytes[1] === 0 && bytes[2] === 1 && bytes[3] === 0) return { kind: 'image', format: 'icon' };
  return undefined;
}

/** Walks the JPEG segments to the frame header, which holds the size. */
function jpegSize(view: DataView): { readonly width?: number; readonly height?: number } {
  for (let at = 2; at + 9 <= view.byteLength && view.getUint8(at) === 0xff; ) {
    const marker = view.getUint8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    at += 2 + view.getUint16(at + 2);
  }
  return {};
}

function mostlyUnreadable(text: string): boolean {
  const sample = text.slice(0, SNIFF_BYTES);
  let strange = 0;
  for (let i = 0; i < sample.length; i++) {
    const unit = sample.charCodeAt(i);
    if (unit === 0xfffd || (unit < 0x20 && unit !== 0x09 && unit !== 0x0a && unit !== 0x0d && unit !== 0x1b && unit !== 0x0c)) strange++;
  }
  return strange * 10 > sample.length;
}
