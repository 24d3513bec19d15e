import type { CallFacts, Policy, PolicyRule, Standing, TraceEntry } from '@/lib/contracts/policy';
import { canonicalJson } from '@/lib/shared/canonical-json';
import { isJsonObject, type JsonObject } from '@/lib/shared/json';
import { parseJson } from '@/lib/shared/read-json';
import { familyWords } from '@/lib/shell/families';
import type { ShellWord } from '@/lib/shell/part';
import { quoted } from './command-words';
import { readPolicyPath } from './policy-paths';
import { ruleWords, unmet } from './rule-fit';
import { fitsAsWritten, readShellRule } from './shell-rules';
import type { ShellVerdict } from './shell-verdict';

/**
 * The allow rule and the remembered approval that almost cover a call, and what differs.
 *
 * Out    at most one entry for a rule and one for an approval; none where more than one thing differs.
 * Source governance 9, "the nearest grant that almost covered it".
 */
export function nearestRule(facts: CallFacts, policy: Policy, standing: Standing, command: ShellVerdict | undefined): readonly TraceEntry[] {
  const near = [
    command === undefined ? nearestOfRules(facts, policy.rules) : nearestOfCommands(command, policy.shell.allow),
    nearestGrant(facts, standing.grants, command),
  ];
  return near.filter((evidence) => evidence !== undefined).map((evidence): TraceEntry => ({ rule: 'nearest', evidence, verdict: 'none' }));
}

function nearestOfRules(facts: CallFacts, rules: readonly PolicyRule[]): string | undefined {
  for (const rule of rules) {
    if (rule.effect !== 'allow') continue;
    const missing = unmet(rule, facts);
    const paths = [...(facts.reads ?? []), ...facts.writes];
    const stray = rule.path === undefined ? undefined : paths.find((path) => !readPolicyPath(rule.path as string).fits(path));
    const first = missing[0];
    if (missing.length + (stray === undefined ? 0 : 1) !== 1) continue;
    const differs = first === undefined ? `it is for ${rule.path}, this is ${stray}` : `it wants ${first.field} ${first.wanted}, this has ${first.found}`;
    if (first?.field !== 'tool') return `The rule "${ruleWords(rule)}" comes nearest: ${differs}.`;
  }
  return undefined;
}

function nearestOfCommands({ parts }: ShellVerdict, rules: readonly string[]): string | undefined {
  for (const { part, verdict } of parts) {
    if (verdict !== 'ask' || part.kind !== 'command' || part.words.length === 0) continue;
    for (const text of rules) {
      const rule = readShellRule(text);
      const differs = rule === undefined || fitsAsWritten(rule, part.words) ? undefined : oneDifference(rule.text.split(' '), part.words);
      if (differs !== undefined) return `The allow rule "${text}" comes nearest to ${quoted(part.text)}: ${differs}.`;
    }
  }
  return undefined;
}

/** What differs between a rule and a command of the same program, where it is one word. */
function oneDifference(rule: readonly string[], words: readonly ShellWord[]): string | undefined {
  const open = rule[rule.length - 1] === '*';
  const wanted = open ? rule.slice(0, -1) : rule;
  if (wanted.length === 0 || wanted[0] !== words[0]?.value) return undefined;
  const shared = Math.min(wanted.length, words.length);
  const differing: number[] = [];
  for (let index = 0; index < shared; index++) {
    const one = readShellRule(wanted[index] as string);
    if (
      one === undefined ||
      !fitsAsWritten({ ...one, open: false, words: one.words.length === 0 ? [{ pieces: ['', ''], forOptions: false }] : one.words }, [
        words[index] as ShellWord,
      ])
    )
      differing.push(index);
  }
  const more = open ? 0 : Math.max(0, words.length - wanted.length);
  const fewer = Math.max(0, wanted.length - words.length);
  if (differing.length + more + fewer !== 1) return undefined;
  const at = differing[0];
  if (at !== undefined) return `it has ${quoted(wanted[at] as string)} where this has ${quoted((words[at] as ShellWord).text)}`;
  return more === 1
    ? `this has one word more, ${quoted((words[words.length - 1] as ShellWord).text)}`
    : `this lacks ${quoted(wanted[wanted.length - 1] as string)}`;
}

/** The remembered approval of a call that differs in one argument, or of a command of the same family elsewhere. */
function nearestGrant({ tool, input }: CallFacts, grants: ReadonlySet<string>, command: ShellVerdict | undefined): string | undefined {
  for (const key of grants) {
    const exact = readExactKey(key);
    if (exact?.tool === tool) {
      const differs = oneArgument(exact.input, input);
      if (differs !== undefined) return `You allowed this call before with another ${differs}.`;
    }
    const family = command === undefined ? undefined : readFamilyKey(key);
    const words = command?.reading.single ?? command?.parts.find((part) => part.verdict === 'ask')?.part.words;
    if (family === undefined || words === undefined || family.words[0] !== words[0]?.value) continue;
    const own = familyWords(words) ?? words.slice(0, family.words.length).map((word) => word.value);
    const differing = family.words.filter((word, index) => own[index] !== word);
    if (differing.length === 0)
      return `You allowed "${family.words.join(' ')}" before${family.cwd === '' ? '' : ` in ${family.cwd}`}; this one is written or placed so that it is not covered.`;
    if (differing.length === 1 && own.length === family.words.length) return `You allowed "${family.words.join(' ')}" before; this is "${own.join(' ')}".`;
  }
  return undefined;
}

function readExactKey(key: string): { readonly tool: string; readonly input: JsonObject } | undefined {
  const end = key.startsWith('"') ? key.indexOf('" {') : -1;
  if (end === -1) return undefined;
  const tool = parseJson(key.slice(0, end + 1));
  const input = parseJson(key.slice(end + 2));
  return typeof tool === 'string' && isJsonObject(input) ? { tool, input } : undefined;
}

function readFamilyKey(key: string): { readonly words: readonly string[]; readonly cwd: string } | undefined {
  const read = key.startsWith('["exec_shell","family",') ? parseJson(key) : undefined;
  if (!Array.isArray(read) || !Array.isArray(read[2]) || typeof read[3] !== 'string') return undefined;
  return { words: read[2].map(String), cwd: read[3] };
}

function oneArgument(allowed: JsonObject, asked: JsonObject): string | undefined {
  const names = [...new Set([...Object.keys(allowed), ...Object.keys(asked)])];
  const differing = names.filter((name) => shown(allowed, name) !== shown(asked, name));
  const name = differing[0];
  if (name === undefined || differing.length > 1) return undefined;
  return `${name}: then ${clipped(shown(allowed, name))}, now ${clipped(shown(asked, name))}`;
}

function shown(input: JsonObject, name: string): string {
  const value = Object.hasOwn(input, name) ? input[name] : undefined;
  return value === undefined ? 'none' : canonicalJson(value);
}

const SHOWN_LENGTH = 120;

function clipped(text: string): string {
  return text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text;
}
