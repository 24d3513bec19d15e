/** `util.isDeepStrictEqual`; `loose` compares primitives with `==` and ignores prototypes, as the legacy `deepEqual` does. */
export function isDeepEqual(a: unknown, b: unknown, loose = false, seen: Map<object, object> = new Map()): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) {
    // biome-ignore lint/suspicious/noDoubleEquals: the legacy comparison is this one
    return loose && typeof a !== 'object' && typeof b !== 'object' && (a == b || (Number.isNaN(a) && Number.isNaN(b)));
  }
  if (seen.get(a) === b) return true;
  if (!loose && Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false;
  if (Object.prototype.toString.call(a) !== Object.prototype.toString.call(b)) return false;
  seen.set(a, b);
  const equal = haveEqualParts(a, b, loose, seen);
  seen.delete(a);
  return equal;
}

function haveEqualParts(a: object, b: object, loose: boolean, seen: Map<object, object>): boolean {
  const same = (x: unknown, y: unknown): boolean => isDeepEqual(x, y, loose, seen);
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  if (Array.isArray(a) && Array.isArray(b) && a.length !== b.length) return false;
  if (a instanceof Date && b instanceof Date && !Object.is(a.getTime(), b.getTime())) return false;
  if (a instanceof RegExp && b instanceof RegExp && (String(a) !== String(b) || a.lastIndex !== b.lastIndex)) return false;
  if (a instanceof Error && b instanceof Error && (a.message !== b.message || a.name !== b.name || !same(a.cause, b.cause))) return false;
  for (const Boxed of [Number, String, Boolean, Symbol, BigInt]) {
    if (a instanceof Boxed && b instanceof Boxed && !Object.is((a as { valueOf(): unknown }).valueOf(), (b as { valueOf(): unknown }).valueOf())) return false;
  }
  if (a instanceof Map && b instanceof Map) {
    if (a.size !== b.size) return false;
    const left = [...b];
    for (const [key, value] of a) {
      if (b.has(key)) {
        if (!same(value, b.get(key))) return false;
        continue;
      }
      const at = typeof key === 'object' ? left.findIndex(([other, item]) => typeof other === 'object' && same(key, other) && same(value, item)) : -1;
      if (at < 0) return false;
      left.splice(at, 1);
    }
  }
  if (a instanceof Set && b instanceof Set) {
    if (a.size !== b.size) return false;
    const left = [...b];
    for (const value of a) {
      if (b.has(value)) continue;
      const at = typeof value === 'object' ? left.findIndex((other) => typeof other === 'object' && same(value, other)) : -1;
      if (at < 0) return false;
      left.splice(at, 1);
    }
  }
  if (a instanceof WeakMap || a instanceof WeakSet || a instanceof Promise) return false;
  if (a instanceof ArrayBuffer && b instanceof ArrayBuffer) return same(new Uint8Array(a), new Uint8Array(b));
  const keysA = keysOf(a);
  const keysB = new Set(keysOf(b));
  if (keysA.length !== keysB.size) return false;
  return keysA.every((key) => keysB.has(key) && same((a as Record<string | symbol, unknown>)[key], (b as Record<string | symbol, unknown>)[key]));
}

function keysOf(value: object): (string | symbol)[] {
  return [...Object.keys(value), ...Object.getOwnPropertySymbols(value).filter((key) => Object.getOwnPropertyDescriptor(value, key)?.enumerable)];
}
