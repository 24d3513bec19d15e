import type { PlacedCall } from './story';

const quotedUnits = 400;

/** Texts as paragraphs; what is empty is left out. */
export function joined(...texts: readonly (string | undefined)[]): string {
  return texts.filter((text) => text !== undefined && text !== '').join('\n\n');
}

/** A no in words: who said it, and what they wrote beside it. `what` as in “the edit”. */
export function whoSaidNo(call: PlacedCall, what: string): string {
  if (call.words !== undefined)
    return `You said no to ${what}: “${call.words}”. Thank you for the words; I am a script and cannot act on them, but a model would read them just as I did.`;
  if (wasAsked(call)) return `You said no to ${what}.`;
  return `There was a no to ${what} before anyone was asked: ${because(call)}`;
}

/** A person saw the card and said no. */
export function wasAsked(call: PlacedCall): boolean {
  return call.status === 'denied' && /^Denied by the person: /.test(call.text);
}

/** The first sentences of a result, for a person. */
export function because(call: PlacedCall): string {
  const flat = call.text.replace(/\s+/g, ' ').trim();
  if (flat === '') return 'nothing came back.';
  const short = flat.length <= quotedUnits ? flat : `${flat.slice(0, quotedUnits).replace(/[\ud800-\udbff]$/, '')}…`;
  return /[.!?…]$/.test(short) ? short : `${short}.`;
}

/** The lines in which a test runner names what failed, five at most. */
export function failingLines(output: string): readonly string[] {
  const lines = output.split('\n').filter((line) => /^\s*(not ok|✖)/.test(line) && !/failing tests:/.test(line));
  return [...new Set(lines.map((line) => line.trim()))].slice(0, 5);
}

export function lastLines(output: string): string {
  return output.trimEnd().split('\n').slice(-8).join('\n');
}

export function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
