import { isJsonObject, type Json } from './json';

/** JSON text with object keys sorted at every depth: equal values give equal texts, different values different ones. */
export function canonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map((item: Json) => canonicalJson(item)).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  let text = '{';
  for (const key of Object.keys(value).sort()) {
    const member = value[key];
    if (member !== undefined) text += `${text === '{' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(member)}`;
  }
  return `${text}}`;
}
