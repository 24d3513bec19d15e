import type { Redirection } from 'unbash';
import type { ShellRedirect, ShellWord } from './part';

/** What a shell finds on its standard input. */
export type Stdin =
  | { readonly kind: 'open' }
  | { readonly kind: 'pipe' }
  /** A here-document or here-string; `literal`: it holds no expansion. */
  | { readonly kind: 'text'; readonly text: string; readonly literal: boolean; readonly from: number; readonly to: number };

/** A redirection, read; `stdin` where it puts something else on standard input. `undefined`: it cannot be judged. */
export function readRedirection(
  node: Redirection,
  text: string,
  target: ShellWord | undefined,
): { readonly redirect: ShellRedirect; readonly stdin?: Stdin } | undefined {
  const descriptor = node.descriptor === undefined ? undefined : node.descriptor.type === 'FileDescriptor' ? node.descriptor.value : Number.NaN;
  if (descriptor !== undefined && !(descriptor <= 2)) return undefined;
  if (node.type === 'HereDoc') return hereDocument(node, text);
  if (target === undefined) return undefined;
  if (node.type === 'HereString') {
    // Braces stay as they are in a here-string.
    const expands = target.expands && /[$`(]/.test(target.text);
    const stdin: Stdin = { kind: 'text', text: target.value, literal: !expands, from: target.from, to: target.to };
    return { redirect: { kind: 'text', text, target, expands }, stdin };
  }
  if (node.operator === '>&' || node.operator === '<&') {
    const number = /^(\d+)-?$/.exec(target.value)?.[1];
    if (number !== undefined && Number(number) > 2) return undefined;
    if (number === undefined && target.value !== '-' && node.operator === '>&' && descriptor === undefined)
      return { redirect: { kind: 'write', text, target } };
    return { redirect: { kind: 'duplicate', text, target } };
  }
  if (node.operator === '<') return { redirect: { kind: 'read', text, target }, stdin: { kind: 'open' } };
  return { redirect: { kind: 'write', text, target } };
}

function hereDocument(node: Extract<Redirection, { type: 'HereDoc' }>, text: string): { readonly redirect: ShellRedirect; readonly stdin: Stdin } {
  const parts = node.delimiter?.quoted === true ? undefined : node.body.parts;
  const expands = parts?.some((part) => part.type !== 'Literal') === true;
  const raw = parts === undefined ? node.body.text : parts.map((part) => (part.type === 'Literal' ? part.value : part.text)).join('');
  const script = node.operator === '<<-' ? raw.replace(/^\t+/gm, '') : raw;
  return {
    redirect: { kind: 'text', text, expands },
    stdin: { kind: 'text', text: script, literal: !expands, from: node.body.pos, to: node.body.end },
  };
}

/**
 * Why no allow rule fits a command with this redirection; undefined when one may.
 *
 * Source cases, kind shell-policy: joining 0 to 2, /dev/null, reading a named file, text without expansions, writing inside the workspace.
 */
export function redirectProblem(redirect: ShellRedirect): string | undefined {
  const { kind, text, target } = redirect;
  if (kind === 'text') return redirect.expands === true ? `${text} holds expansions` : undefined;
  if (target === undefined) return `${text} has no target`;
  if (target.literal && target.value === '/dev/null') return undefined;
  if (kind === 'duplicate') return target.literal && /^[0-2]$/.test(target.value) ? undefined : `${text} changes descriptors`;
  if (target.expands) return `the target of ${text} is known only when it runs`;
  if (/^\/dev\/(tcp|udp)\//.test(target.value)) return `${text} opens a connection`;
  if (kind === 'read') return undefined;
  if (!target.literal) return `the target of ${text} is known only when it runs`;
  return isInside(target.value) ? undefined : `${text} does not write to a plain path inside the workspace`;
}

function isInside(path: string): boolean {
  const segments = path.split('/');
  return path !== '' && !path.startsWith('/') && !segments.includes('..') && !segments.includes('.git');
}
