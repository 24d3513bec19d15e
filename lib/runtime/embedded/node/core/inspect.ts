import { programStack } from '@/lib/runtime/embedded/node/program-stack';
export interface InspectOptions {
  readonly depth?: number | null;
  readonly colors?: boolean;
  readonly compact?: boolean | number;
  readonly breakLength?: number;
  readonly showHidden?: boolean;
  readonly sorted?: boolean;
  readonly maxArrayLength?: number | null;
  readonly maxStringLength?: number | null;
}

/** Lets a value write itself, as in Node. */
export const customInspect: unique symbol = Symbol.for('nodejs.util.inspect.custom') as never;

interface State {
  readonly options: InspectOptions;
  readonly maxDepth: number;
  readonly breakLength: number;
  readonly seen: object[];
  readonly circular: Map<object, number>;
  readonly inspect: typeof inspect;
}

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/** A value as Node shows it on the console. */
export function inspect(value: unknown, options: InspectOptions | boolean = {}): string {
  const given = typeof options === 'object' ? options : { showHidden: options };
  const depth = given.depth === undefined ? 2 : given.depth === null ? Number.POSITIVE_INFINITY : given.depth;
  return show(value, { options: given, maxDepth: depth, breakLength: given.breakLength ?? 80, seen: [], circular: new Map(), inspect }, 0);
}
inspect.custom = customInspect;
inspect.defaultOptions = { depth: 2, colors: false } as InspectOptions;

function show(value: unknown, state: State, indent: number): string {
  switch (typeof value) {
    case 'string':
      return quoteString(shorten(value, state));
    case 'number':
      return Object.is(value, -0) ? '-0' : String(value);
    case 'bigint':
      return `${value}n`;
    case 'symbol':
      return value.toString();
    case 'undefined':
    case 'boolean':
      return String(value);
    default:
      return value === null ? 'null' : showObject(value as object, state, indent);
  }
}

function showObject(value: object, state: State, indent: number): string {
  const custom = (value as Record<symbol, unknown>)[customInspect];
  if (typeof custom === 'function' && custom !== inspect) {
    const shown: unknown = custom.call(value, state.maxDepth - state.seen.length, { ...state.options }, state.inspect);
    if (shown !== value) return typeof shown === 'string' ? shown.replaceAll('\n', `\n${' '.repeat(indent)}`) : show(shown, state, indent);
  }
  if (state.seen.includes(value)) {
    if (!state.circular.has(value)) state.circular.set(value, state.circular.size + 1);
    return `[Circular *${state.circular.get(value)}]`;
  }
  state.seen.push(value);
  const text = showParts(value, state, indent);
  state.seen.pop();
  const mark = state.circular.get(value);
  return mark === undefined ? text : `<ref *${mark}> ${text}`;
}

function showParts(value: object, state: State, indent: number): string {
  const name = constructorName(value);
  const tag = (value as { [Symbol.toStringTag]?: unknown })[Symbol.toStringTag];
  const tagText = typeof tag === 'string' && tag !== '' && tag !== name ? `[${tag}] ` : '';
  const prefix = (plain: string): string => (name === plain && tagText === '' ? '' : `${name ?? `[${plain}: null prototype]`} ${tagText}`);
  const keys = ownKeys(value, state);
  const deep = state.seen.length > state.maxDepth + 1;

  if (typeof value === 'function') {
    const base = functionBase(value, name);
    return keys.length === 0 || deep ? base : list(`${base} `, ['{', '}'], members(value, keys, state, indent), state, indent);
  }
  if (value instanceof RegExp || value instanceof Date) {
    const base = value instanceof Date ? (Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString()) : String(value);
    return keys.length === 0 ? base : list(`${base} `, ['{', '}'], members(value, keys, state, indent), state, indent);
  }
  if (value instanceof Error) return showError(value, keys, state, indent);
  for (const Boxed of [Number, String, Boolean, Symbol, BigInt]) {
    if (value instanceof Boxed) return `[${Boxed.name}: ${show((value as { valueOf(): unknown }).valueOf(), state, indent)}]`;
  }
  if (Array.isArray(value)) {
    if (deep && value.length > 0) return `[${name ?? 'Array'}]`;
    const shown = arrayItems(value, state, indent);
    return list(
      name === 'Array' ? '' : `${name}(${value.length}) `,
      ['[', ']'],
      [
        ...shown,
        ...members(
          value,
          keys.filter((key) => typeof key === 'symbol' || !/^\d+$/.test(key)),
          state,
          indent,
        ),
      ],
      state,
      indent,
      value.length > 6,
    );
  }
  if (ArrayBuffer.isView(value) && !(value instanceof DataView)) return showTyped(value, name, state, indent);
  if (value instanceof ArrayBuffer)
    return `ArrayBuffer { [Uint8Contents]: <${[...new Uint8Array(value).subarray(0, 50)].map(hex).join(' ')}>, byteLength: ${value.byteLength} }`;
  const empty = keys.length === 0 && !(value instanceof Map && value.size > 0) && !(value instanceof Set && value.size > 0);
  if (deep && !empty) return `[${name ?? 'Object: null prototype'}]`;
  if (value instanceof Map) {
    const entries = [...value].map(([key, item]) => `${show(key, state, indent + 2)} => ${show(item, state, indent + 2)}`);
    return list(`${name}(${value.size}) `, ['{', '}'], [...entries, ...members(value, keys, state, indent)], state, indent);
  }
  if (value instanceof Set)
    return list(
      `${name}(${value.size}) `,
      ['{', '}'],
      [...[...value].map((item) => show(item, state, indent + 2)), ...members(value, keys, state, indent)],
      state,
      indent,
    );
  if (value instanceof Promise) return `${name} { ${keys.length === 0 ? '<pending or settled>' : members(value, keys, state, indent).join(', ')} }`;
  if (value instanceof WeakMap || value instanceof WeakSet) return `${name} { <items unknown> }`;
  if (tag === 'Module' || tag === 'Generator')
    return list(tag === 'Module' ? '[Module: null prototype] ' : 'Object [Generator] ', ['{', '}'], members(value, keys, state, indent), state, indent);
  if (tag === 'Arguments' || Object.prototype.toString.call(value) === '[object Arguments]')
    return list('[Arguments] ', ['[', ']'], arrayItems(Array.from(value as ArrayLike<unknown>), state, indent), state, indent);
  if (keys.length === 0) return `${prefix('Object')}{}`;
  return list(prefix('Object'), ['{', '}'], members(value, keys, state, indent), state, indent);
}

function ownKeys(value: object, state: State): (string | symbol)[] {
  const keys: (string | symbol)[] = state.options.showHidden ? Object.getOwnPropertyNames(value) : Object.keys(value);
  if (state.options.sorted) keys.sort();
  const symbols = Object.getOwnPropertySymbols(value).filter((key) => Object.getOwnPropertyDescriptor(value, key)?.enumerable);
  return [...keys, ...symbols];
}

function members(value: object, keys: readonly (string | symbol)[], state: State, indent: number): string[] {
  return keys.map((key) => {
    const described = Object.getOwnPropertyDescriptor(value, key);
    const label = typeof key === 'symbol' ? `[${key.toString()}]` : IDENTIFIER.test(key) ? key : quoteString(key);
    if (described?.get) return `${label}: ${described.set ? '[Getter/Setter]' : '[Getter]'}`;
    if (described?.set) return `${label}: [Setter]`;
    return `${label}: ${show(described ? described.value : (value as Record<string | symbol, unknown>)[key], state, indent + 2)}`;
  });
}

function arrayItems(value: readonly unknown[], state: State, indent: number): string[] {
  const limit = state.options.maxArrayLength === null ? Number.POSITIVE_INFINITY : (state.options.maxArrayLength ?? 100);
  const items: string[] = [];
  let holes = 0;
  const closeHoles = (): void => {
    if (holes > 0) items.push(`<${holes} empty item${holes > 1 ? 's' : ''}>`);
    holes = 0;
  };
  for (let i = 0; i < value.length && items.length < limit; i++) {
    if (!(i in value)) {
      holes++;
      continue;
    }
    closeHoles();
    items.push(show(value[i], state, indent + 2));
  }
  closeHoles();
  const more = value.length - limit;
  if (more > 0) items.push(`... ${more} more item${more > 1 ? 's' : ''}`);
  return items;
}

function showTyped(value: ArrayBufferView, name: string | undefined, state: State, indent: number): string {
  if (name === 'Buffer') {
    const bytes = new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    const more = bytes.length - 50;
    return `<Buffer${[...bytes.subarray(0, 50)].map((byte) => ` ${hex(byte)}`).join('')}${more > 0 ? ` ... ${more} more byte${more > 1 ? 's' : ''}` : ''}>`;
  }
  const items = Array.from(value as unknown as ArrayLike<unknown>);
  return list(`${name}(${items.length}) `, ['[', ']'], arrayItems(items, state, indent), state, indent, items.length > 6);
}

function showError(error: Error, keys: readonly (string | symbol)[], state: State, indent: number): string {
  const base = errorText(error);
  const extra = keys.filter((key) => key !== 'stack' && key !== 'message' && key !== 'name');
  const parts = members(error, extra, state, indent);
  if (Object.hasOwn(error, 'cause') && !extra.includes('cause')) parts.push(`[cause]: ${show(error.cause, state, indent + 2)}`);
  if (error instanceof AggregateError) parts.push(`[errors]: ${show(error.errors, state, indent + 2)}`);
  const shown = indent === 0 ? base : base.replaceAll('\n', `\n${' '.repeat(indent)}`);
  const wrapped = shown.includes('\n') || indent === 0 || shown !== `${error.name}: ${error.message}` ? shown : `[${shown}]`;
  if (parts.length === 0) return wrapped;
  const pad = ' '.repeat(indent + 2);
  return `${wrapped} {\n${parts.map((part) => pad + part).join(',\n')}\n${' '.repeat(indent)}}`;
}

/** The stack of an error as a person wants it: frames of programs only. */
export function errorText(error: Error): string {
  const stack = typeof error.stack === 'string' && error.stack !== '' ? error.stack : undefined;
  if (stack === undefined) return `[${error.name}: ${error.message}]`;
  const head = `${error.name}${error.message === '' ? '' : `: ${error.message}`}`;
  const frames = programStack(stack)
    .split('\n')
    .filter((line) => /^\s+at .*(?:\/workspace\/|\/tmp\/|\[eval\]|\[stdin\])/.test(line));
  const firstFrame = stack.search(/\n[ \t]+at /);
  const written = firstFrame < 0 ? (/^\s+at /.test(stack) ? head : stack) : stack.slice(0, firstFrame);
  const title = written.includes(error.message) ? written : head;
  return [title, ...frames.map((frame) => frame.replace(/at (?:async )?(?:Object\.)?(?:eval|<anonymous>) \(/, 'at <anonymous> ('))].join('\n');
}

function functionBase(value: object, name: string | undefined): string {
  const own = (value as { name?: unknown }).name;
  const label = typeof own === 'string' && own !== '' ? `: ${own}` : ' (anonymous)';
  const source = Function.prototype.toString.call(value);
  if (/^class[\s{]/.test(source)) {
    const parent = (Object.getPrototypeOf(value) as { name?: string } | null)?.name;
    return `[class${label.replace(':', '')}${parent ? ` extends ${parent}` : ''}]`;
  }
  return `[${name ?? 'Function'}${label}]`;
}

function constructorName(value: object): string | undefined {
  for (let at: object | null = value; at; at = Object.getPrototypeOf(at) as object | null) {
    const described = Object.getOwnPropertyDescriptor(at, 'constructor');
    if (typeof described?.value === 'function' && described.value.name !== '') return described.value.name as string;
  }
  return undefined;
}

function list(prefix: string, [open, close]: readonly [string, string], items: readonly string[], state: State, indent: number, grouped = false): string {
  if (items.length === 0) return `${prefix}${open}${close}`;
  const entries = grouped ? groupItems(items, indent) : items;
  const length = items.reduce((sum, item) => sum + item.length, 0) + 2 * items.length + indent + prefix.length + open.length + 10;
  if (entries === items && state.options.compact !== false && length <= state.breakLength && !items.some((item) => item.includes('\n')) && nesting(items) < 3) {
    return `${prefix}${open} ${items.join(', ')} ${close}`;
  }
  const pad = ' '.repeat(indent + 2);
  return `${prefix}${open}\n${entries.map((entry) => pad + entry).join(',\n')}\n${' '.repeat(indent)}${close}`;
}

/** Node keeps at most three levels on one line. */
function nesting(items: readonly string[]): number {
  let deepest = 0;
  for (const shown of items) {
    const item = shown.replace(/'(?:[^'\\]|\\.)*'|\[[A-Z][\w :*]*\]|\{\}|\[\]/g, '');
    let depth = 0;
    for (const char of item) {
      if (char === '{' || char === '[') deepest = Math.max(deepest, ++depth);
      else if (char === '}' || char === ']') depth--;
    }
  }
  return deepest;
}

/** Long arrays of short items stand in columns. Source: Node's own layout, so that output reads the same. */
function groupItems(items: readonly string[], indent: number): readonly string[] {
  const more = items.at(-1)?.startsWith('... ') ? items.at(-1) : undefined;
  const plain = more === undefined ? items : items.slice(0, -1);
  const longest = Math.max(...plain.map((item) => item.length));
  const wide = longest + 2;
  const total = plain.reduce((sum, item) => sum + item.length + 2, 0);
  if (wide * 3 + indent >= 80 || (total / wide <= 5 && longest > 6) || plain.some((item) => item.includes('\n'))) return items;
  const biased = Math.max(wide - 3 - Math.sqrt(wide - total / items.length), 1);
  const columns = Math.min(Math.round(Math.sqrt(2.5 * biased * plain.length) / biased), Math.floor((80 - indent) / wide), 12, 15);
  if (columns <= 1) return items;
  const widths = Array.from({ length: columns }, (_, column) => Math.max(...plain.filter((_item, i) => i % columns === column).map((item) => item.length)) + 2);
  const padStart = plain.every((item) => /^-?[\d.]+n?$/.test(item));
  const rows: string[] = [];
  for (let i = 0; i < plain.length; i += columns) {
    const row = plain.slice(i, i + columns);
    rows.push(
      row
        .map((item, column) => {
          const last = column === row.length - 1;
          const text = last ? item : `${item}, `;
          const width = (widths[column] ?? 0) - (last ? 2 : 0);
          return padStart ? text.padStart(width) : last ? text : text.padEnd(width);
        })
        .join(''),
    );
  }
  return more === undefined ? rows : [...rows, more];
}

function shorten(text: string, state: State): string {
  const limit = state.options.maxStringLength ?? 10_000;
  return text.length > limit ? `${text.slice(0, limit)}` : text;
}

function quoteString(text: string): string {
  const quote = !text.includes("'") ? "'" : !text.includes('"') ? '"' : !text.includes('`') && !text.includes('${') ? '`' : "'";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is escaped
  const escaped = text.replace(/[\x00-\x1f\x7f\\]/g, (char) => ESCAPES[char] ?? `\\x${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);
  return quote + (quote === "'" ? escaped.replaceAll("'", "\\'") : escaped) + quote;
}

const ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\t': '\\t', '\r': '\\r', '\b': '\\b', '\f': '\\f', '\v': '\\v', '\\': '\\\\' };

function hex(byte: number): string {
  return byte.toString(16).padStart(2, '0');
}
