import type { CallFacts, PolicyRule, RuleConditions } from '@/lib/contracts/policy';
import { canonicalJson } from '@/lib/shared/canonical-json';
import { createGlob } from '@/lib/shared/glob';
import { type PolicyPath, readPolicyPath } from './policy-paths';

/**
 * Whether a rule fits a call.
 *
 * Out    `yes`; `maybe` = the call searches or copies a folder that holds what a deny or ask rule covers. An allow rule has to cover every path
 *        that the call touches, a deny or ask rule any one of them.
 */
export function fitsRule(rule: PolicyRule, facts: CallFacts): 'yes' | 'maybe' | 'no' {
  if (!fitsBesidesPath(rule, facts)) return 'no';
  return rule.path === undefined ? 'yes' : fitsPaths(rule, readPolicyPath(rule.path), facts);
}

/** Every condition but the path is met. */
export function fitsBesidesPath(rule: RuleConditions, facts: CallFacts): boolean {
  return unmet(rule, facts).length === 0;
}

/** The conditions of a rule that a call does not meet, its path left out; of arguments each one by its name. */
export function unmet(rule: RuleConditions, facts: CallFacts): readonly { readonly field: string; readonly wanted: string; readonly found: string }[] {
  const missing: { field: string; wanted: string; found: string }[] = [];
  const miss = (field: string, wanted: string, found: string) => missing.push({ field, wanted, found });
  if (rule.tool !== undefined && !namesTool(rule.tool, facts.tool)) miss('tool', rule.tool, facts.tool);
  if (rule.capability !== undefined && !facts.capabilities.includes(rule.capability))
    miss('capability', rule.capability, facts.capabilities.join(', ') || 'none');
  if (rule.origin !== undefined && (facts.outside ?? []).length === 0) miss('origin', rule.origin, 'nothing from outside');
  if (rule.definition !== undefined && rule.definition !== facts.definition) miss('definition', rule.definition, facts.definition ?? 'none');
  for (const [name, wanted] of Object.entries(rule.args ?? {})) {
    const found = Object.hasOwn(facts.input, name) ? facts.input[name] : undefined;
    if (found === undefined || canonicalJson(found) !== canonicalJson(wanted))
      miss(name, canonicalJson(wanted), found === undefined ? 'nothing' : canonicalJson(found));
  }
  return missing;
}

/** True when the tool of a rule, a glob, names this tool. */
export function namesTool(pattern: string, tool: string): boolean {
  return createGlob(pattern)(tool);
}

function fitsPaths({ effect }: PolicyRule, path: PolicyPath, { reads = [], writes, under = [] }: CallFacts): 'yes' | 'maybe' | 'no' {
  const touched = [...reads, ...writes];
  if (effect === 'allow') return touched.length > 0 && touched.every(path.fits) ? 'yes' : 'no';
  if (touched.some(path.covers) || under.some(path.covers) || writes.some(path.reachesBelow)) return 'yes';
  return under.some(path.reachesBelow) ? 'maybe' : 'no';
}

/**
 * Whether a rule fits one of its own examples: conditions that the example says nothing about are taken as met.
 *
 * In     an example of `path` is a path, of `tool` a name.
 */
export function fitsExample(rule: PolicyRule, example: RuleConditions): boolean {
  if (rule.tool !== undefined && example.tool !== undefined && !namesTool(rule.tool, example.tool)) return false;
  if (rule.path !== undefined && example.path !== undefined) {
    const path = readPolicyPath(rule.path);
    if (!(rule.effect === 'allow' ? path.fits(example.path) : path.covers(example.path))) return false;
  }
  for (const field of ['capability', 'origin', 'definition'] as const)
    if (rule[field] !== undefined && example[field] !== undefined && rule[field] !== example[field]) return false;
  return Object.entries(rule.args ?? {}).every(([name, wanted]) => {
    if (example.args === undefined) return true;
    const found = Object.hasOwn(example.args, name) ? example.args[name] : undefined;
    return found !== undefined && canonicalJson(found) === canonicalJson(wanted);
  });
}

/** A rule in one line, as traces and cards name it. */
export function ruleWords({ effect, tool, path, args, capability, origin, definition, reason }: PolicyRule): string {
  const words = [
    `${effect} ${tool ?? (capability === undefined ? 'every tool' : `tools with ${capability}`)}`,
    tool !== undefined && capability !== undefined ? `with ${capability}` : '',
    path === undefined ? '' : `on ${path}`,
    args === undefined ? '' : `with ${canonicalJson(args)}`,
    origin === undefined ? '' : 'with bytes from outside',
    definition === undefined ? '' : `defined as ${definition.slice(0, 19)}…`,
  ];
  return `${words.filter((word) => word !== '').join(' ')}${reason === undefined ? '' : ` (${reason})`}`;
}
