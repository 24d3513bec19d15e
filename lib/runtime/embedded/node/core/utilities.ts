import { decodeUtf8, encodeUtf8 } from '@/lib/shared/bytes';
import { isDeepEqual } from './compare';
import { format, formatWithOptions } from './format';
import { customInspect, inspect } from './inspect';
import { parseArgs } from './parse-args';

type Callback = (error: unknown, value?: unknown) => void;
type AnyFunction = (...args: never[]) => unknown;

const customPromisify = Symbol.for('nodejs.util.promisify.custom');

function promisify(original: AnyFunction): AnyFunction {
  const custom = (original as unknown as Record<symbol, unknown>)[customPromisify];
  if (typeof custom === 'function') return custom as AnyFunction;
  return function (this: unknown, ...args: never[]) {
    return new Promise((resolve, reject) => {
      const done: Callback = (error, value) => (error ? reject(error) : resolve(value));
      original.call(this as never, ...args, done as never);
    });
  };
}
promisify.custom = customPromisify;

function callbackify(original: (...args: never[]) => Promise<unknown>): AnyFunction {
  return function (this: unknown, ...args: never[]) {
    const done = args.pop() as unknown as Callback;
    original.apply(this as never, args).then(
      (value) => queueMicrotask(() => done(null, value)),
      (error: unknown) => queueMicrotask(() => done(error)),
    );
  };
}

function tagIs(tag: string): (value: unknown) => boolean {
  return (value) => Object.prototype.toString.call(value) === `[object ${tag}]`;
}

const types = {
  isDate: tagIs('Date'),
  isRegExp: tagIs('RegExp'),
  isMap: tagIs('Map'),
  isSet: tagIs('Set'),
  isWeakMap: tagIs('WeakMap'),
  isWeakSet: tagIs('WeakSet'),
  isNativeError: tagIs('Error'),
  isPromise: tagIs('Promise'),
  isGeneratorFunction: tagIs('GeneratorFunction'),
  isAsyncFunction: tagIs('AsyncFunction'),
  isGeneratorObject: tagIs('Generator'),
  isUint8Array: (value: unknown) => value instanceof Uint8Array,
  isTypedArray: (value: unknown) => ArrayBuffer.isView(value) && !(value instanceof DataView),
  isArrayBufferView: (value: unknown) => ArrayBuffer.isView(value),
  isArrayBuffer: tagIs('ArrayBuffer'),
  isAnyArrayBuffer: (value: unknown) => tagIs('ArrayBuffer')(value) || tagIs('SharedArrayBuffer')(value),
  isBoxedPrimitive: (value: unknown) => [Number, String, Boolean, Symbol, BigInt].some((Boxed) => value instanceof Boxed),
  isProxy: () => false,
};

const STYLES: Readonly<Record<string, readonly [number, number]>> = {
  reset: [0, 0],
  bold: [1, 22],
  dim: [2, 22],
  italic: [3, 23],
  underline: [4, 24],
  inverse: [7, 27],
  strikethrough: [9, 29],
  black: [30, 39],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  blue: [34, 39],
  magenta: [35, 39],
  cyan: [36, 39],
  white: [37, 39],
  gray: [90, 39],
  grey: [90, 39],
  bgRed: [41, 49],
  bgGreen: [42, 49],
  bgYellow: [43, 49],
  bgBlue: [44, 49],
  bgMagenta: [45, 49],
  bgCyan: [46, 49],
  bgWhite: [47, 49],
};

/** `node:util`. */
export const utilModule = {
  inspect,
  format,
  formatWithOptions,
  promisify,
  callbackify,
  isDeepStrictEqual: (a: unknown, b: unknown): boolean => isDeepEqual(a, b),
  inherits(child: { prototype: object; super_?: unknown }, parent: { prototype: object }): void {
    child.super_ = parent;
    Object.setPrototypeOf(child.prototype, parent.prototype);
  },
  deprecate: <T>(act: T): T => act,
  debuglog: () => Object.assign(() => undefined, { enabled: false }),
  types,
  isArray: Array.isArray,
  parseArgs,
  TextEncoder,
  TextDecoder,
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminal sequences begin with one
  stripVTControlCharacters: (text: string): string => text.replace(/\u001b\[[0-9;?]*[ -/]*[@-~]/g, ''),
  styleText(style: string | readonly string[], text: string): string {
    return [style].flat().reduceRight((shown: string, name) => {
      const codes = STYLES[String(name)];
      return codes ? `\u001b[${codes[0]}m${shown}\u001b[${codes[1]}m` : shown;
    }, text);
  },
  toUSVString: (text: string): string => decodeUtf8(encodeUtf8(text)),
};

export { customInspect };
