import type { Policy, PolicyInForce, PolicyProblem, PolicyRule, RuleConditions } from '@/lib/contracts/policy';
import type { z } from '@/lib/contracts/zod';
import { coversHost, plainHost } from '@/lib/net/host-entry';
import type { Json } from '@/lib/shared/json';
import { type LocatedJson, readLocatedJson } from '@/lib/shared/located-json';
import { readPolicyPath } from './policy-paths';
import { policyShape } from './policy-shape';
import { fitsExample, ruleWords } from './rule-fit';

/** Where the policy of a workspace lies. */
export const policyPath = 'gatehouse.policy.json';

const LARGEST = 256 * 1024;

/**
 * Reads the text of a policy file.
 *
 * Out    the policy, or what is wrong with it and where. Nothing is guessed: an unknown field, a key that stands twice, and an example that a rule
 *        does not hold to are errors.
 * Source governance 9.
 */
export function readPolicyFile(text: string): PolicyInForce {
  if (text.length > LARGEST) return broken({ message: `The file is larger than ${LARGEST / 1024} KiB.`, line: 1, column: 1 });
  const located = readLocatedJson(text);
  if ('problem' in located) return broken(located.problem);
  const read = policyShape.safeParse(located.value);
  if (!read.success) return broken(shapeProblem(read.error.issues[0] as Issue, located));
  const { version, default: byDefault, shell, hosts } = read.data;
  // As written: a copy of foreign names may lose some of them, and a rule with one condition less opens more.
  const rules = (located.value as { readonly rules?: readonly PolicyRule[] }).rules ?? [];
  const policy: Policy = { version, default: byDefault, shell, hosts, rules };
  const problem = shellProblem(policy, located) ?? hostProblem(policy, located) ?? ruleProblem(policy.rules, located);
  return problem === undefined ? policy : broken(problem);
}

/** True for a policy file that does not load. */
export function isBroken(policy: PolicyInForce): policy is Extract<PolicyInForce, { readonly broken: PolicyProblem }> {
  return 'broken' in policy;
}

function broken(problem: PolicyProblem): PolicyInForce {
  return { broken: problem };
}

type Issue = z.core.$ZodIssue;

function shapeProblem(issue: Issue, located: LocatedJson): PolicyProblem {
  const where = wordsOf(issue.path);
  if (issue.code === 'unrecognized_keys') {
    const key = issue.keys[0] as string;
    const problem = `${JSON.stringify(key)} is no field${where === '' ? ' of a policy' : ` of ${where}`}. A misspelt field would change nothing silently.`;
    return { message: problem, ...located.locate([...issue.path, key], true) };
  }
  const field = where === '' ? 'The file' : where;
  const message =
    issue.code === 'invalid_type'
      ? `${field} has to be ${kinds[issue.expected] ?? issue.expected}${isThere(located.value, issue.path) ? '' : '; it is missing'}.`
      : issue.code === 'invalid_value'
        ? `${field} has to be ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}.`
        : `${field}: ${issue.message}`;
  return { message, ...located.locate(issue.path) };
}

function isThere(value: Json, path: readonly PropertyKey[]): boolean {
  let at: unknown = value;
  for (const step of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, step)) return false;
    at = (at as Readonly<Record<PropertyKey, unknown>>)[step];
  }
  return true;
}

const kinds: Readonly<Record<string, string>> = {
  string: 'a text',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  number: 'a number',
  boolean: 'true or false',
};

function wordsOf(path: readonly PropertyKey[]): string {
  return path.map((step, index) => (typeof step === 'number' ? `[${step}]` : `${index === 0 ? '' : '.'}${String(step)}`)).join('');
}

/** A line that fits no command that anyone writes would open or close nothing, silently. */
function shellProblem({ shell }: Policy, located: LocatedJson): PolicyProblem | undefined {
  for (const list of ['deny', 'ask', 'allow'] as const)
    for (const [index, line] of shell[list].entries()) {
      const why = deadWord(line);
      if (why !== undefined) return { message: `${JSON.stringify(line)} ${why}`, ...located.locate(['shell', list, index]) };
    }
  return undefined;
}

function deadWord(line: string): string | undefined {
  for (const word of line.trim().split(/\s+/)) {
    if (/^(?:&&|\|\||\|&)$/.test(word)) return `joins commands with ${word}. A rule is held against each part of a command alone: write one line for each.`;
    if (/^(?:[012]?(?:>>?|<)(?:&[012])?|&>>?)$/.test(word)) return `holds a redirection (${word}). A rule is for the words of a command only: leave it out.`;
    if (/^(["']).+\1$/.test(word)) return `holds a word in quotes (${word}). Words are compared without them: leave the quotes out.`;
  }
  return undefined;
}

/** An entry that can cover no host would open what it was meant to close. */
function hostProblem({ hosts }: Policy, located: LocatedJson): PolicyProblem | undefined {
  for (const list of ['deny', 'ask', 'allow'] as const)
    for (const [index, entry] of hosts[list].entries())
      if (!isHostEntry(entry))
        return {
          message: `${JSON.stringify(entry)} is no host. Write the name alone, without scheme, port or path: "docs.example.com", or ".example.com" for its sub-domains.`,
          ...located.locate(['hosts', list, index]),
        };
  return undefined;
}

function isHostEntry(entry: string): boolean {
  const name = plainHost(entry).replace(/^\*?\./, '');
  if (name === '' || name.includes('*')) return false;
  const written = entry.startsWith('[') ? entry : name.split(':').length > 2 ? `[${name}]` : name;
  try {
    const url = new URL(`http://${written}/`);
    return url.port === '' && url.pathname === '/' && url.username === '' && url.search === '' && coversHost(name, plainHost(url.hostname));
  } catch {
    return false;
  }
}

function ruleProblem(rules: readonly PolicyRule[], located: LocatedJson): PolicyProblem | undefined {
  for (const [index, rule] of rules.entries()) {
    if (!conditionNames.some((name) => rule[name] !== undefined))
      return { message: 'This rule names nothing that it is for. If it is for every call, write "tool": "*".', ...located.locate(['rules', index]) };
    // A command may name what lies outside, so a rule against it is not idle.
    if (rule.path !== undefined && !readPolicyPath(rule.path).isInside && (rule.effect === 'allow' || /^\.\.?\/*$/.test(rule.path)))
      return {
        message: `${JSON.stringify(rule.path)} is no path that a tool can touch. Write it relative to the workspace: "src/**", or "**" for everything.`,
        ...located.locate(['rules', index, 'path']),
      };
    const wrong = exampleProblem(rule, 'match', true) ?? exampleProblem(rule, 'notMatch', false);
    if (wrong !== undefined) return { message: wrong.message, ...located.locate(['rules', index, wrong.list, wrong.at]) };
  }
  return undefined;
}

const conditionNames = ['tool', 'path', 'args', 'capability', 'origin', 'definition'] as const satisfies readonly (keyof RuleConditions)[];

function exampleProblem(
  rule: PolicyRule,
  list: 'match' | 'notMatch',
  wanted: boolean,
): { readonly message: string; readonly list: string; readonly at: number } | undefined {
  for (const [at, example] of (rule[list] ?? []).entries()) {
    if (Object.keys(example).length === 0) return { message: 'This example says nothing.', list, at };
    if (fitsExample(rule, example) !== wanted)
      return { message: `The rule "${ruleWords(rule)}" ${wanted ? 'does not fit' : 'fits'} this example, and ${wanted ? 'has to' : 'must not'}.`, list, at };
  }
  return undefined;
}
