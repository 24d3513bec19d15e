import type { RedirectionNode, ScriptNode } from './syntax';

/**
 * Stands before the target of every output redirection, so that the file system can tell an attempt to open one from any other look
 * at a path: the shell would give up the whole script over a target that cannot be opened.
 */
export const TARGET_MARK = '/dev/gatehouse/to/';

const OPENING: ReadonlySet<string> = new Set(['>', '>>', '>|', '&>', '&>>']);

/** The script with its redirection targets marked, in functions and substitutions too. */
export function markTargets(script: ScriptNode): ScriptNode {
  return mark(script) as ScriptNode;
}

function mark(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(mark);
  if (typeof value !== 'object' || value === null) return value;
  const node = Object.fromEntries(Object.entries(value).map(([key, member]) => [key, mark(member)]));
  return isOpening(node) ? { ...node, target: { ...node.target, parts: [{ type: 'Literal', value: TARGET_MARK }, ...node.target.parts] } } : node;
}

function isOpening(node: Record<string, unknown>): node is Record<string, unknown> & { target: Extract<RedirectionNode['target'], { type: 'Word' }> } {
  if (node.type !== 'Redirection' || typeof node.operator !== 'string' || !OPENING.has(node.operator)) return false;
  const target = node.target as RedirectionNode['target'];
  if (target.type !== 'Word') return false;
  const [first] = target.parts;
  // A tilde means a folder only at the start; the devices are known to the shell by name.
  return first !== undefined && first.type !== 'TildeExpansion' && !(first.type === 'Literal' && first.value.startsWith('/dev/'));
}

/** Takes the marks out of what the shell says, and says why a target was refused. */
export function cleanText(text: string, reason: string): string {
  return text.includes(TARGET_MARK) ? text.replaceAll(TARGET_MARK, '').replaceAll('cannot open redirect target', reason) : text;
}
