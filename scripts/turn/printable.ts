/** C0 and C1 controls but tab and newline, and the marks that turn the direction of text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a terminal must not get
const unsafe = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Text that a terminal shows and does not obey; a carriage return before a newline or the end stays. */
export function printable(text: string): string {
  return text.replace(unsafe, (mark, at: number) => {
    if (mark === '\r' && (text[at + 1] === '\n' || at + 1 === text.length)) return mark;
    return `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
