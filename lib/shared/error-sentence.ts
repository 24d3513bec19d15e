import type { Json } from './json';
import { fieldOf, listField, parseJson, textField } from './read-json';

/**
 * The sentence inside a provider's error body.
 *
 * In     `body` any text; known shapes: `{error: {message}}`, `{error: "…"}`, `{message}`, `{detail: "…" | [{msg}]}`, one of these in a list.
 * Out    the sentence, trimmed; undefined when there is none.
 */
export function errorSentence(body: string): string | undefined {
  const value = parseJson(body);
  return value === undefined ? undefined : sentenceOf(value);
}

/** The same for a body that is parsed already. */
export function sentenceOf(value: Json): string | undefined {
  const root: Json | undefined = Array.isArray(value) ? (value as readonly Json[])[0] : value;
  const error = fieldOf(root, 'error');
  const candidates = [
    textField(error, 'message'),
    typeof error === 'string' ? error : undefined,
    textField(root, 'message'),
    textField(root, 'detail'),
    textField(listField(root, 'detail')[0], 'msg'),
  ];
  return candidates.map((text) => text?.trim()).find((text) => text !== undefined && text !== '');
}
