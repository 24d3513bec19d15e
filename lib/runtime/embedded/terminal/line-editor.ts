/** What a key came to, for whoever owns the editor. */
export type EditorEvent =
  | { readonly type: 'line'; readonly text: string }
  | { readonly type: 'interrupt' }
  | { readonly type: 'end' }
  | { readonly type: 'complete'; readonly before: string };

/** A line of input on a terminal: keys in, drawing out. Positions are code points. */
export class LineEditor {
  readonly #write: (text: string) => void;
  readonly #history: string[] = [];
  #prompt = '';
  #promptWidth = 0;
  #chars: string[] = [];
  #at = 0;
  #recalled = 0;
  #draft = '';
  #drawnRow = 0;
  #escape = '';
  cols: number;

  constructor(write: (text: string) => void, cols: number) {
    this.#write = write;
    this.cols = cols;
  }

  /** Shows `prompt` and an empty line. */
  begin(prompt: string): void {
    this.#prompt = prompt;
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours take no room
    this.#promptWidth = widthOf([...prompt.replace(/\x1b\[[0-9;]*m/g, '')]);
    this.#chars = [];
    this.#at = 0;
    this.#recalled = this.#history.length;
    this.#drawnRow = 0;
    this.#write(prompt);
    this.#drawnRow = this.#place(0).row;
  }

  remember(line: string): void {
    if (line.trim() !== '' && this.#history.at(-1) !== line) this.#history.push(line);
  }

  /** Puts `text` in at the cursor. */
  insert(text: string): void {
    const chars = [...text];
    const atEnd = this.#at === this.#chars.length;
    this.#chars.splice(this.#at, 0, ...chars);
    this.#at += chars.length;
    if (atEnd && this.#place(this.#at).column > 1) {
      this.#write(text);
      this.#drawnRow = this.#place(this.#at).row;
    } else this.redraw();
  }

  /** Draws the prompt and line again where they are. */
  redraw(): void {
    const up = this.#drawnRow > 0 ? `\x1b[${this.#drawnRow}A` : '';
    const end = this.#place(this.#chars.length);
    const cursor = this.#place(this.#at);
    const wrapped = end.column === 0 && end.row > 0 ? ' \r' : '';
    const back = (end.row > cursor.row ? `\x1b[${end.row - cursor.row}A` : '') + (cursor.column > 0 ? `\r\x1b[${cursor.column}C` : '\r');
    this.#write(`${up}\r\x1b[J${this.#prompt}${this.#chars.join('')}${wrapped}${back}`);
    this.#drawnRow = cursor.row;
  }

  /** Takes one code point of input. */
  key(char: string): EditorEvent | undefined {
    if (this.#escape !== '') return this.#escaped(char);
    switch (char) {
      case '\x1b':
        this.#escape = char;
        return undefined;
      case '\r':
      case '\n': {
        const text = this.#chars.join('');
        this.#move(this.#chars.length);
        this.#write('\r\n');
        return { type: 'line', text };
      }
      case '\x03':
        this.#move(this.#chars.length);
        this.#write('^C\r\n');
        return { type: 'interrupt' };
      case '\x04':
        if (this.#chars.length === 0) return { type: 'end' };
        this.#remove(this.#at, this.#at + 1);
        return undefined;
      case '\x7f':
      case '\b':
        this.#remove(this.#at - 1, this.#at);
        return undefined;
      case '\t':
        return { type: 'complete', before: this.#chars.slice(0, this.#at).join('') };
      case '\x01':
        this.#move(0);
        return undefined;
      case '\x05':
        this.#move(this.#chars.length);
        return undefined;
      case '\x0b':
        this.#remove(this.#at, this.#chars.length);
        return undefined;
      case '\x15':
        this.#remove(0, this.#at);
        return undefined;
      case '\x17':
        this.#remove(this.#wordStart(), this.#at);
        return undefined;
      case '\x0c':
        this.#drawnRow = 0;
        this.#write('\x1b[2J\x1b[H');
        this.redraw();
        return undefined;
      default:
        if (char >= ' ') this.insert(char);
        return undefined;
    }
  }

  #escaped(char: string): undefined {
    this.#escape += char;
    if (this.#escape.length === 2 && (char === '[' || char === 'O')) return undefined;
    if (this.#escape.length > 2 && char >= '0' && char <= ';') return undefined;
    const sequence = this.#escape.slice(1);
    this.#escape = '';
    if (sequence === '[A' || sequence === 'OA') this.#recall(-1);
    else if (sequence === '[B' || sequence === 'OB') this.#recall(1);
    else if (sequence === '[C' || sequence === 'OC') this.#move(this.#at + 1);
    else if (sequence === '[D' || sequence === 'OD') this.#move(this.#at - 1);
    else if (sequence === '[H' || sequence === 'OH' || sequence === '[1~') this.#move(0);
    else if (sequence === '[F' || sequence === 'OF' || sequence === '[4~') this.#move(this.#chars.length);
    else if (sequence === '[3~') this.#remove(this.#at, this.#at + 1);
    else if (sequence === '[1;5D' || sequence === 'b') this.#move(this.#wordStart());
    else if (sequence === '[1;5C' || sequence === 'f') this.#move(this.#wordEnd());
    return undefined;
  }

  #recall(step: number): void {
    const next = this.#recalled + step;
    if (next < 0 || next > this.#history.length) return;
    if (this.#recalled === this.#history.length) this.#draft = this.#chars.join('');
    this.#recalled = next;
    this.#chars = [...(this.#history[next] ?? this.#draft)];
    this.#at = this.#chars.length;
    this.redraw();
  }

  #move(to: number): void {
    const at = Math.max(0, Math.min(to, this.#chars.length));
    if (at === this.#at) return;
    this.#at = at;
    this.redraw();
  }

  #remove(from: number, to: number): void {
    const start = Math.max(0, from);
    if (this.#chars.splice(start, Math.max(0, to - start)).length === 0) return;
    this.#at = start;
    this.redraw();
  }

  #wordStart(): number {
    let at = this.#at;
    while (at > 0 && this.#chars[at - 1] === ' ') at--;
    while (at > 0 && this.#chars[at - 1] !== ' ') at--;
    return at;
  }

  #wordEnd(): number {
    let at = this.#at;
    while (at < this.#chars.length && this.#chars[at] === ' ') at++;
    while (at < this.#chars.length && this.#chars[at] !== ' ') at++;
    return at;
  }

  #place(at: number): { readonly row: number; readonly column: number } {
    const width = this.#promptWidth + widthOf(this.#chars.slice(0, at));
    return { row: Math.floor(width / this.cols), column: width % this.cols };
  }
}

/** Cells that `chars` take: two for East Asian wide characters and emoji. */
function widthOf(chars: readonly string[]): number {
  return chars.reduce(
    (sum, char) =>
      sum + (/[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u.test(char) ? 2 : 1),
    0,
  );
}
