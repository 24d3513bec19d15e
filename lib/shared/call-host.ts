import type { JsonObject } from './json';

/** The host that a call names in its `url`; undefined when it names none. */
export function callHost(input: JsonObject): string | undefined {
  const { url } = input;
  return typeof url === 'string' && URL.canParse(url.trim()) ? new URL(url.trim()).hostname : undefined;
}
