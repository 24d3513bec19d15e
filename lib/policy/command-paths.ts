import type { CallFacts, Decision, PolicyRule } from '@/lib/contracts/policy';
import { programOf } from '@/lib/shell/lookup';
import type { ShellPart, ShellReading, ShellWord } from '@/lib/shell/part';
import { writtenWords } from '@/lib/shell/written-words';
import { readPolicyPath } from './policy-paths';
import { fitsBesidesPath, namesTool, ruleWords } from './rule-fit';

/** A deny or ask rule for paths, as it binds commands. */
export interface CommandPathRule {
  readonly rule: PolicyRule;
  readonly reads: boolean;
  readonly writes: boolean;
}

/** What a rule for paths says about a part of a command. `weak`: an allow rule that fits the part knows better. */
export interface PathFinding {
  readonly verdict: Exclude<Decision, 'allow'>;
  readonly rule: string;
  readonly evidence: string;
  readonly weak: boolean;
}

// A rule may name a tool that no call has brought here, so what it does is said once more; a test holds it to what the tools declare.
const readers = ['read_file', 'grep_files', 'list_dir', 'file_search', 'file_info', 'view_image'];
const writers = ['write_file', 'edit_file', 'apply_patch', 'move_path', 'copy_path', 'delete_path', 'make_dir'];

/**
 * The rules for paths that bind commands: a path that no tool may read or write, no command may either.
 *
 * Out    deny and ask rules. A rule for tools that read binds what a command reads, one for tools that write what it writes; one for commands, or
 *        for every tool, both. An allow rule for a path lets no command pass: what a command does with a path is not known.
 */
export function commandPathRules(rules: readonly PolicyRule[], facts: CallFacts): readonly CommandPathRule[] {
  const found: CommandPathRule[] = [];
  for (const rule of rules) {
    if (rule.path === undefined || rule.effect === 'allow') continue;
    const { tool, capability, args, ...rest } = rule;
    const ofCommands = fitsBesidesPath(rule, facts);
    // Arguments of another tool say nothing about a command.
    if (!ofCommands && (args !== undefined || !fitsBesidesPath(rest, facts))) continue;
    const names = (tools: readonly string[]) => ofCommands || tool === undefined || tools.some((one) => namesTool(tool, one));
    const reads = names(readers) && (ofCommands || capability === undefined || capability === 'read-only');
    const writes = names(writers) && (ofCommands || capability === undefined || capability === 'writes-files');
    if (reads || writes) found.push({ rule, reads, writes });
  }
  return found;
}

/**
 * What the rules for paths say about one part.
 *
 * In     `cwd`: folder that the command runs in, relative to the workspace.
 * Out    the strictest finding; undefined where no rule binds what the part names.
 */
export function pathFinding(part: ShellPart, rules: readonly CommandPathRule[], reading: ShellReading, cwd: string): PathFinding | undefined {
  if (rules.length === 0) return undefined;
  const place = { cwd, changesFolder: reading.changesFolder };
  const { read, written, perhaps } = wordsOf(part);
  let found: PathFinding | undefined;
  for (const { rule, reads, writes } of rules) {
    const path = readPolicyPath(rule.path as string);
    const look = (words: readonly ShellWord[], weak: boolean, isPath = false) => {
      for (const word of words) {
        const named = path.named(word, place, isPath);
        if (named === 'no') continue;
        const isSure = named === 'yes' && !weak;
        const verdict = isSure ? (rule.effect as PathFinding['verdict']) : 'ask';
        if (found !== undefined && (found.verdict === 'deny' || verdict === 'ask') && !(found.weak && !weak)) continue;
        const words = ruleWords(rule);
        const saw = `${word.text} ${named === 'yes' ? 'names' : 'may name'} a path of the rule "${words}"`;
        found = { verdict, rule: words, evidence: weak ? `${saw}, and it is not known what ${programOf(part.words)} does with it.` : `${saw}.`, weak };
      }
    };
    if (reads) look(read, false);
    if (writes) {
      look(written, false, true);
      look(perhaps, true);
    }
  }
  return found;
}

/** The words of a part that name what it reads, what it writes, and what it may do either with. */
function wordsOf(part: ShellPart): { readonly read: readonly ShellWord[]; readonly written: readonly ShellWord[]; readonly perhaps: readonly ShellWord[] } {
  const [first, ...rest] = part.words;
  const targets = (kind: 'read' | 'write') =>
    part.redirects.flatMap((redirect) => (redirect.kind === kind && redirect.target !== undefined ? [redirect.target] : []));
  const written = writtenWords(part.words);
  return {
    read: [...(first?.text.includes('/') ? [first] : []), ...rest, ...targets('read')],
    written: [...written, ...targets('write')],
    perhaps: rest.filter((word) => !written.includes(word)),
  };
}
