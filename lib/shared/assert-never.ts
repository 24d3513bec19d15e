/** Marks a branch that the types rule out; reached at run time it is a bug. */
export function assertNever(value: never): never {
  throw new Error(`unreachable: ${JSON.stringify(value)}`);
}
