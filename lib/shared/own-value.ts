/** The value that a record itself has under a key, never what every object inherits: keys such as `constructor` name files too. */
export function ownValue<Value>(record: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
