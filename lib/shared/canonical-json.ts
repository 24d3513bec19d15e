import { isJsonObject, type Json } from './json';

/** JSON text with object keys sorted at every depth: equal values give equal texts, different values different ones. */
export function canonicalJson(value: Json): string {
  // Most values have their keys in order already, and then the plain text is the same and comes sooner.
  return isSorted(value) ? JSON.stringify(value) : sortedJson(value);
}

function sortedJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map((item: Json) => sortedJson(item)).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  let text = '{';
  for (const key of Object.keys(value).sort()) {
    const member = value[key];
    if (member !== undefined) text += `${text === '{' ? '' : ','}${JSON.stringify(key)}:${sortedJson(member)}`;
  }
  return `${text}}`;
}

/** Whether every object in a value gives its keys in order. */
function isSorted(value: Json): boolean {
  if (Array.isArray(value)) return value.every((item: Json) => isSorted(item));
  if (!isJsonObject(value)) return true;
  let last: string | undefined;
  for (const key of Object.keys(value)) {
    if ((last !== undefined && key < last) || !isSorted(value[key] as Json)) return false;
    last = key;
  }
  return true;
}
