import type { CallFacts, PolicyRule } from '@/lib/contracts/policy';
import { plainHost } from '@/lib/net/host-entry';
import { readCommand } from '@/lib/shell/parts';
import { isProtectedPath } from './protected-paths';
import { ruleWords } from './rule-fit';
import { neverAllowed } from './shell-facts';

/** What is added to a policy file: an entry of one of its lists, or a rule. */
export type NewRule =
  | { readonly list: 'shell'; readonly entry: string }
  | { readonly list: 'hosts'; readonly entry: string }
  | { readonly list: 'rules'; readonly rule: PolicyRule };

/**
 * The narrowest rule that allows this call.
 *
 * Out    of one plain command its words, of any other command exactly that call; of a fetch its host; of a tool that writes one file that file, whatever
 *        is written (the same text is not written twice); else the tool with every argument, an external one bound to the definition that was
 *        shown. undefined where no rule may cover it.
 */
export function narrowestRule(facts: CallFacts): NewRule | undefined {
  const { tool, input, definition, writes } = facts;
  const bound = definition === undefined ? {} : { definition };
  if (writes.some(isProtectedPath)) return undefined;
  if (tool === 'exec_shell' && typeof input.command === 'string') {
    const entry = plainWords(input.command);
    if (entry !== undefined && Object.keys(input).every((field) => field === 'command' || field === 'timeout_ms' || input[field] === undefined))
      return { list: 'shell', entry };
    const { timeout_ms: _, ...args } = input;
    return { list: 'rules', rule: { effect: 'allow', tool, args } };
  }
  if (tool === 'fetch_url' && typeof input.url === 'string')
    return URL.canParse(input.url) ? { list: 'hosts', entry: plainHost(new URL(input.url).hostname) } : undefined;
  const [path, ...more] = writes;
  if (definition === undefined && path !== undefined && more.length === 0) return { list: 'rules', rule: { effect: 'allow', tool, path: exactPath(path) } };
  return { list: 'rules', rule: { effect: 'allow', tool, args: input, ...bound } };
}

/** The rule in words, for the button that makes it. */
export function newRuleWords(made: NewRule): string {
  if (made.list === 'rules') return made.rule.path === undefined ? ruleWords(made.rule) : `${ruleWords(made.rule)}, with any other arguments`;
  return made.list === 'shell' ? `allow the command ${made.entry}` : `allow the host ${made.entry}`;
}

/** The words of a command that a rule string can say; undefined where it would say something else. */
function plainWords(command: string): string | undefined {
  const reading = readCommand(command);
  const part = reading.parts[0];
  if (reading.single === undefined || part?.kind !== 'command' || reading.parts.length !== 1 || neverAllowed(part, reading) !== undefined) return undefined;
  const { single } = reading;
  return single.every(({ value, literal }) => literal && value !== '' && !/[\s*]/.test(value)) ? single.map(({ value }) => value).join(' ') : undefined;
}

/** A pattern that fits this path and no other. */
function exactPath(path: string): string {
  return `./${path.replace(/[*?[\]{}\\]/g, '\\$&')}`;
}
