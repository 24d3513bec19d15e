import type { Json } from './json';

/** A place in a text: 1-based, columns in UTF-16 units. */
export interface TextPlace {
  readonly line: number;
  readonly column: number;
}

export interface TextProblem extends TextPlace {
  readonly message: string;
}

/** JSON that knows where each of its values stands. */
export interface LocatedJson {
  readonly value: Json;
  /** Where the value of a path stands, or of the deepest part of the path that is there. `ofKey`: its name instead. */
  locate(path: readonly PropertyKey[], ofKey?: boolean): TextPlace;
}

const DEEPEST = 64;

/**
 * Reads JSON for a person who wrote it by hand: an error names its place, and a key that stands twice is one.
 *
 * Out    the value with the places of its parts, or the first problem. A key `__proto__` stays an own key.
 */
export function readLocatedJson(text: string): LocatedJson | { readonly problem: TextProblem } {
  const reader = new Reader(text);
  try {
    const root = reader.document();
    return { value: root.value, locate: (path, ofKey = false) => reader.place(find(root, path, ofKey)) };
  } catch (error) {
    if (error instanceof Misread) return { problem: { message: error.message, ...reader.place(error.at) } };
    throw error;
  }
}

interface Node {
  readonly value: Json;
  readonly at: number;
  /** Where the name of the member stands. */
  readonly keyAt?: number;
  readonly members?: ReadonlyMap<string, Node>;
  readonly items?: readonly Node[];
}

function find(root: Node, path: readonly PropertyKey[], ofKey: boolean): number {
  let node = root;
  for (const step of path) {
    const next = typeof step === 'number' ? node.items?.[step] : node.members?.get(String(step));
    if (next === undefined) return node.at;
    node = next;
  }
  return ofKey ? (node.keyAt ?? node.at) : node.at;
}

class Misread extends Error {
  constructor(
    message: string,
    readonly at: number,
  ) {
    super(message);
  }
}

const escapes: Readonly<Record<string, string>> = { '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };
const words: readonly (readonly [string, Json])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
];

class Reader {
  #at = 0;
  constructor(readonly text: string) {}

  place(at: number): TextPlace {
    const before = this.text.slice(0, at).split(/\r\n|[\r\n]/);
    return { line: before.length, column: (before[before.length - 1] as string).length + 1 };
  }

  document(): Node {
    // An editor may have put a byte order mark in front.
    if (this.text.startsWith('\ufeff')) this.#at = 1;
    this.#blank();
    if (this.#at >= this.text.length) this.#fail('The file is empty; it has to hold a JSON object.');
    const root = this.#value(0);
    this.#blank();
    if (this.#at < this.text.length) this.#fail('Something stands behind the end of the JSON.');
    return root;
  }

  #value(depth: number): Node {
    const at = this.#at;
    const first = this.text[at];
    if (depth > DEEPEST) this.#fail(`It is nested deeper than ${DEEPEST} levels.`);
    if (first === '{') return this.#object(depth);
    if (first === '[') return this.#array(depth);
    if (first === '"') return { value: this.#string(), at };
    for (const [word, value] of words) {
      if (!this.text.startsWith(word, at)) continue;
      this.#at += word.length;
      return { value, at };
    }
    const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
    number.lastIndex = at;
    const found = number.exec(this.text)?.[0];
    if (found === undefined) this.#fail(this.#unexpected('a value'));
    this.#at += found.length;
    return { value: Number(found), at };
  }

  #object(depth: number): Node {
    const at = this.#at++;
    const members = new Map<string, Node>();
    this.#blank();
    while (this.text[this.#at] !== '}') {
      const keyAt = this.#at;
      if (this.text[keyAt] !== '"') this.#fail(this.#unexpected(members.size === 0 ? 'a name in double quotes or }' : 'a name in double quotes'));
      const key = this.#string();
      if (members.has(key)) this.#fail(`${JSON.stringify(key)} stands here twice; only one can count.`, keyAt);
      this.#blank();
      if (this.text[this.#at] !== ':') this.#fail(this.#unexpected('a colon'));
      this.#at++;
      this.#blank();
      members.set(key, { ...this.#value(depth + 1), keyAt });
      this.#blank();
      if (this.#separator('}')) break;
    }
    this.#at++;
    // fromEntries defines own members, so that a key like __proto__ stays data.
    return { value: Object.fromEntries([...members].map(([key, node]) => [key, node.value])), at, members };
  }

  #array(depth: number): Node {
    const at = this.#at++;
    const items: Node[] = [];
    this.#blank();
    while (this.text[this.#at] !== ']') {
      items.push(this.#value(depth + 1));
      this.#blank();
      if (this.#separator(']')) break;
    }
    this.#at++;
    return { value: items.map((node) => node.value), at, items };
  }

  /** Steps over a comma; answers true at the closer. */
  #separator(closer: string): boolean {
    if (this.text[this.#at] === closer) return true;
    if (this.text[this.#at] !== ',') this.#fail(this.#unexpected(`a comma or ${closer}`));
    const comma = this.#at++;
    this.#blank();
    if (this.text[this.#at] === closer) this.#fail(`This comma has nothing behind it; take it away.`, comma);
    return false;
  }

  #string(): string {
    const start = this.#at++;
    let value = '';
    for (;;) {
      const character = this.text[this.#at];
      if (character === undefined || character === '\n' || character === '\r') this.#fail('This text is never closed.', start);
      this.#at++;
      if (character === '"') return value;
      if (character < ' ') this.#fail('A control character has to be written as an escape.', this.#at - 1);
      value += character === '\\' ? this.#escape() : character;
    }
  }

  #escape(): string {
    const at = this.#at - 1;
    const kind = this.text[this.#at++] ?? '';
    if (kind !== 'u') return escapes[kind] ?? this.#fail('JSON knows no such escape; a backslash is written as \\\\.', at);
    const digits = this.text.slice(this.#at, this.#at + 4);
    if (!/^[0-9a-fA-F]{4}$/.test(digits)) this.#fail('Behind \\u stand four hexadecimal digits.', at);
    this.#at += 4;
    return String.fromCharCode(Number.parseInt(digits, 16));
  }

  #blank(): void {
    const blank = /[ \t\r\n]*/y;
    blank.lastIndex = this.#at;
    this.#at += blank.exec(this.text)?.[0].length ?? 0;
    if (this.text.startsWith('//', this.#at) || this.text.startsWith('/*', this.#at)) this.#fail('JSON has no comments.');
  }

  #unexpected(wanted: string): string {
    const found = this.text[this.#at];
    return found === undefined ? `The file ends where ${wanted} should stand.` : `${JSON.stringify(found)} stands where ${wanted} should.`;
  }

  #fail(message: string, at = this.#at): never {
    throw new Misread(message, at);
  }
}
