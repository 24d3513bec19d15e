import type { Json, JsonObject } from '@/lib/shared/json';
import { parsePatch, patchHeaders } from '@/lib/shared/parse-patch';
import { spellPath } from '@/lib/shared/workspace-path';
import { familyWords } from '@/lib/shell/families';
import { entryOf, programOf } from '@/lib/shell/lookup';
import type { ShellPart, ShellReading, ShellWord } from '@/lib/shell/part';
import { readCommand } from '@/lib/shell/parts';
import { folderChangers } from '@/lib/shell/programs';
import { stateBuiltins, wrappers } from '@/lib/shell/tables';
import { exactFingerprint } from './fingerprint';
import { isProtectedPath, protectedWrite } from './protected-paths';
import { asksInAuto, riskyOption } from './shell-facts';
import type { JudgedPart } from './shell-verdict';

/** What an approval is remembered under, and what it stands for. */
export type Grant =
  | { readonly kind: 'exact'; readonly key: string }
  | { readonly kind: 'family'; readonly key: string; readonly words: readonly string[]; readonly cwd: string }
  | { readonly kind: 'files'; readonly key: string; readonly files: readonly string[] }
  | { readonly kind: 'host'; readonly key: string; readonly host: string };

/**
 * The key under which an approval is remembered.
 *
 * Out    undefined where nothing can be remembered (an empty command); equal keys mean that one approval covers both calls.
 */
export function grantKey(tool: string, input: JsonObject): string | undefined {
  return grantOf(tool, input)?.key;
}

/**
 * The approval key of a call, by tool: the family of one plain command, the files of a patch, the host of a fetch; else the call itself.
 *
 * Source cases, kind fingerprints.
 */
export function grantOf(tool: string, input: JsonObject): Grant | undefined {
  const exact: Grant = { kind: 'exact', key: exactFingerprint(tool, input) };
  if (tool === 'exec_shell' && typeof input.command === 'string') return input.command.trim() === '' ? undefined : (familyGrant(input.command, input) ?? exact);
  if (tool === 'apply_patch' && typeof input.patch === 'string') return filesGrant(input.patch) ?? exact;
  if (tool === 'fetch_url' && typeof input.url === 'string') return hostGrant(input.url) ?? exact;
  return exact;
}

const FAMILY_FIELDS = new Set(['command', 'cwd', 'timeout_ms', 'background']);

function familyGrant(command: string, input: JsonObject): Grant | undefined {
  if (!Object.keys(input).every((field) => FAMILY_FIELDS.has(field) || input[field] === undefined)) return undefined;
  const reading = readCommand(command);
  const folder = folderOf(input.cwd);
  if (reading.single === undefined || reading.parts.some((part) => protectedWrite(part, reading, folder ?? '') !== undefined)) return undefined;
  return familyOf(reading.single, folder, []);
}

function familyOf(words: readonly ShellWord[], cwd: string | undefined, setting: readonly string[]): Grant | undefined {
  const family = familyWords(words);
  if (cwd === undefined || family === undefined || riskyOption(words) !== undefined) return undefined;
  return { kind: 'family', key: JSON.stringify(['exec_shell', 'family', family, cwd, ...setting]), words: family, cwd };
}

/** The folder a command runs in; undefined where the argument is no text. */
function folderOf(cwd: Json | undefined): string | undefined {
  if (cwd === undefined) return '';
  return typeof cwd === 'string' ? spellPath(cwd) : undefined;
}

function filesGrant(patch: string): Grant | undefined {
  const files = filesOf(patch);
  if (files.length === 0 || files.some(({ paths }) => paths.some(isProtectedPath))) return undefined;
  const touched = [...new Set(files.map(({ kind, paths }) => `${kind} ${paths.join(' → ')}`))].sort();
  return { kind: 'files', key: JSON.stringify(['apply_patch', 'files', touched]), files: [...new Set(files.flatMap(({ paths }) => paths))] };
}

function filesOf(patch: string): readonly { readonly kind: 'change' | 'delete' | 'rename'; readonly paths: readonly string[] }[] {
  try {
    return parsePatch(patch).map((file) => {
      if (file.kind === 'rename') return { kind: 'rename', paths: [spellPath(file.from), spellPath(file.path)] };
      return { kind: file.kind === 'delete' ? 'delete' : 'change', paths: [spellPath(file.path)] };
    });
  } catch {
    // It cannot be applied; what it would be remembered under is the same.
    return patchHeaders(patch).map(({ kind, path }) => ({ kind, paths: [spellPath(path)] }));
  }
}

function hostGrant(url: string): Grant | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, hostname, host, port } = new URL(url);
  return { kind: 'host', key: JSON.stringify(['fetch_url', 'host', protocol, hostname, port]), host: `${protocol}//${host}` };
}

/**
 * The key of one part of a compound command, so that each part can be approved on its own.
 *
 * Out    the key that the part would have as a command of its own. Where other parts change folder or variables, these belong to the key, and so does
 *        what is piped into a program that may run it. Undefined for what is not written out in the command itself.
 */
export function partGrantKey(part: ShellPart, reading: ShellReading, input: JsonObject): string | undefined {
  const { cwd } = input;
  if (!part.plain || !part.sure || part.kind === 'opaque' || (cwd !== undefined && typeof cwd !== 'string')) return undefined;
  // The text of a here-document does not stand in the part.
  if (part.redirects.some((redirect) => redirect.kind === 'text' && redirect.target === undefined)) return undefined;
  const before = reading.parts.filter((other) => other !== part && changesShell(other)).map((other) => other.text);
  const setting = [...before, ...(part.feed !== undefined && mayRun(part) ? [`${part.feed} |`] : [])];
  const isBare = part.kind === 'command' && !part.assigns && part.redirects.length === 0 && part.words.length > 0;
  const folder = folderOf(cwd);
  const isGrouped = isBare && protectedWrite(part, reading, folder ?? '') === undefined;
  const family = isGrouped ? familyOf(part.words, folder, setting) : undefined;
  if (family !== undefined) return family.key;
  const own = exactFingerprint('exec_shell', { command: part.text, ...(cwd === undefined ? {} : { cwd }) });
  return setting.length === 0 ? own : JSON.stringify(['exec_shell', 'part', own, ...setting]);
}

/** What is never grouped is approved as exactly what it does, and that may be what it reads. */
function mayRun(part: ShellPart): boolean {
  return asksInAuto(part) !== undefined || entryOf(wrappers, programOf(part.words)) !== undefined;
}

/** Beside those that change its folder. */
const shellChangers = new Set(['exec', '.', 'source']);

function changesShell(part: ShellPart): boolean {
  const program = programOf(part.words);
  return part.assigns || folderChangers.has(program) || shellChangers.has(program) || stateBuiltins.includes(program);
}

/** True when remembered approvals cover a call: the call itself, or every part of a command that would ask. */
export function isGranted(
  tool: string,
  input: JsonObject,
  grants: ReadonlySet<string>,
  judged?: { readonly parts: readonly JudgedPart[]; readonly reading: ShellReading },
): boolean {
  if (grants.size === 0) return false;
  const key = grantKey(tool, input);
  if (key !== undefined && grants.has(key)) return true;
  if (judged === undefined || input.stdin !== undefined || judged.parts.length < 2) return false;
  const covered = judged.parts.filter(({ part }) => {
    const own = partGrantKey(part, judged.reading, input);
    return own !== undefined && grants.has(own);
  });
  // What a wrapper runs stands in its own words, so an approval of these is one of what they run.
  const within = (one: JudgedPart) =>
    covered.some((other) => other !== one && one.part.kind !== 'opaque' && !one.part.plain && other.from <= one.from && one.to <= other.to);
  return judged.parts.every((one) => one.verdict === 'allow' || covered.includes(one) || within(one));
}
