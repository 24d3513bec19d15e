import type { ApiTool, NameResolution, ToolDispatcher, ToolMetadata, TouchedPaths, Validation } from '@/lib/contracts/dispatcher';
import type { JsonSchema } from '@/lib/contracts/json-schema';
import type { ToolSpec } from '@/lib/contracts/tool-spec';
import { approvalLevelOf, isReadOnly, stricterLevel } from '@/lib/policy/approval-level';
import { canonicalJson } from '@/lib/shared/canonical-json';
import { messageOf } from '@/lib/shared/coded-error';
import { isJsonObject, type Json, type JsonObject } from '@/lib/shared/json';
import { legalId, uniqueId } from '@/lib/shared/legal-id';
import { checkSchema } from './check-schema';
import { entitle } from './entitle';
import { schemaError, thrownResult } from './error-wording';
import { definitionFault, failClosedTool } from './fail-closed';
import { lessonOf } from './lesson';
import { resolveName } from './resolve-name';
import { sanitizeSchema } from './sanitize-schema';
import { toolSchema } from './tool-schema';

/** Milliseconds a body may take unless its tool says otherwise (governance 8). */
const defaultTimeoutMs = 30_000;

interface Entry {
  readonly spec: ToolSpec;
  /** As its maker wrote it: what is sent is made of it, and calls are coerced and checked by it. */
  readonly schema: JsonSchema;
  readonly metadata: ToolMetadata;
}

/**
 * Puts tools behind the seam through which the engine governs them.
 *
 * In     `specs` in any order. A bad definition, or a name taken before, becomes a closed stand-in and harms no other tool.
 * Out    a dispatcher none of whose methods rejects or throws.
 */
export function createToolDispatcher(specs: readonly ToolSpec[]): ToolDispatcher {
  const entries = register(specs);
  // By UTF-16 code unit: the bytes that are sent do not depend on the order of registration, nor on a language.
  const names = [...entries.keys()].sort();
  const mutating = new Set(names.filter((name) => !runsFreely(entries.get(name)?.metadata)));
  let sent: readonly ApiTool[] | undefined;

  return {
    has: (name) => entries.has(name),
    names: () => names,
    resolve: (requested): NameResolution => (entries.has(requested) ? { resolved: requested, rung: 'exact' } : resolveName(requested, names, mutating)),
    metadata: (name) => entries.get(name)?.metadata,
    inputSchema: (name) => entries.get(name)?.schema,
    // Tools are held back by a session's catalogue, not here.
    isLoaded: (name) => entries.has(name),
    activate: () => {},
    lesson: (name, input) => lessonOf(entries.get(name)?.schema ?? {}, input),
    approvalRequirementFor(name, input) {
      const entry = entries.get(name);
      if (entry === undefined) return 'required';
      const level = declared(entry.spec, 'approvalRequirementForInput', input, 'required') ?? entry.metadata.approval;
      return entry.metadata.capabilities.includes('requires-approval') ? stricterLevel(level, 'required') : level;
    },
    validateInput(name, input): Validation {
      const entry = entries.get(name);
      if (entry === undefined) return { ok: false, error: { kind: 'not-available', message: `There is no tool named ${name}.` } };
      return validate(entry, input);
    },
    loopKey(name, input) {
      return declared(entries.get(name)?.spec, 'loopKey', input) ?? canonicalJson(input);
    },
    timeoutFor(name, input) {
      const entry = entries.get(name);
      return declared(entry?.spec, 'timeoutMsFor', input) ?? entry?.metadata.timeoutMs ?? defaultTimeoutMs;
    },
    hostFor: (name, input) => declared(entries.get(name)?.spec, 'hostFor', input),
    pathsFor(name, input) {
      const paths = declared(entries.get(name)?.spec, 'pathsFor', input);
      return paths === undefined ? noPaths : { ...paths, reads: paths?.reads ?? [], writes: paths?.writes ?? [] };
    },
    summarize(name, input) {
      const said = declared(entries.get(name)?.spec, 'summarize', input) ?? firstText(input);
      return said.length > 200 ? `${said.slice(0, 199)}…` : said;
    },
    async previewChanges(name, input, context) {
      const entry = entries.get(name);
      if (entry?.spec.previewChanges === undefined) return [];
      // A preview only reads, whatever the tool may do later.
      const { context: reading, close } = entitle(name, ['read-only'], context);
      try {
        return await entry.spec.previewChanges(input, reading);
      } catch {
        return [];
      } finally {
        close();
      }
    },
    apiTools() {
      sent ??= names.map((name) => {
        const { schema, metadata } = entries.get(name) as Entry;
        return { name, description: metadata.description, inputSchema: sanitizeSchema(schema as Json, 'neutral') };
      });
      return sent;
    },
    async execute(name, input, context) {
      const entry = entries.get(name);
      if (entry === undefined) return { ok: false, error: 'not-available', content: `There is no tool named ${name}. Nothing was executed.` };
      const { context: narrowed, close, isFromHost } = entitle(name, entry.metadata.capabilities, context, entry.metadata.interactive);
      try {
        const given = await entry.spec.execute(input, narrowed);
        if (!('ownWords' in given)) return given;
        const { ownWords: _, ...result } = given;
        return result;
      } catch (error) {
        return isFromHost(error) ? { ...thrownResult(error), ownWords: true } : thrownResult(error);
      } finally {
        close();
      }
    },
  };
}

/** The one entrance. A good tool gets its own name whatever else is offered: built-in ones first, then the others, then the stand-ins. */
function register(specs: readonly ToolSpec[]): ReadonlyMap<string, Entry> {
  const entries = new Map<string, Entry>();
  const bad: { readonly name: string; readonly fault: string }[] = [];
  const renamed: Entry[] = [];
  for (const spec of [...specs.filter(isBuiltIn), ...specs.filter((one) => !isBuiltIn(one))]) {
    const { schema, fault } = definitionOf(spec);
    const before = entries.get(spec.name);
    if (fault !== undefined) bad.push({ name: spec.name, fault });
    else if (before === undefined) entries.set(spec.name, { spec, schema, metadata: metadataOf(spec) });
    else if (isBuiltIn(before.spec) && !isBuiltIn(spec)) renamed.push({ spec, schema, metadata: metadataOf(spec) });
    else bad.push({ name: spec.name, fault: `another tool has the name ${spec.name}` });
  }
  const taken = new Set(entries.keys());
  for (const { spec, schema, metadata } of renamed) {
    const name = uniqueId(legalId(`${metadata.source}__${spec.name}`, 'tool'), taken);
    entries.set(name, { spec, schema, metadata: { ...metadata, name } });
  }
  for (const { name, fault } of bad) {
    const spec = failClosedTool(name, fault, taken);
    entries.set(spec.name, { spec, schema: { type: 'object', properties: {} }, metadata: metadataOf(spec) });
  }
  return entries;
}

function isBuiltIn({ source = 'built-in' }: ToolSpec): boolean {
  return source === 'built-in';
}

function definitionOf(spec: ToolSpec): { readonly schema: JsonSchema; readonly fault?: string } {
  try {
    // What a stranger gives need not be what its type says, not even there.
    const schema: unknown = 'inputSchema' in spec ? spec.inputSchema : toolSchema(spec.input);
    const fault = definitionFault(spec.name, schema, spec.description);
    // Sampled now: what its maker changes afterwards changes nothing here.
    return fault === undefined ? { schema: structuredClone(schema) as JsonSchema } : { schema: {}, fault };
  } catch (error) {
    return { schema: {}, fault: `its input schema cannot be written as JSON Schema (${messageOf(error)})` };
  }
}

function metadataOf(spec: ToolSpec): ToolMetadata {
  return {
    name: spec.name,
    description: spec.description,
    capabilities: [...spec.capabilities],
    readOnly: isReadOnly(spec.capabilities),
    network: spec.capabilities.includes('network'),
    supportsParallel: spec.supportsParallel ?? false,
    interactive: spec.isInteractive ?? false,
    destructive: spec.isDestructive ?? false,
    deferred: spec.deferLoading ?? false,
    polling: spec.isPolling ?? false,
    ...(spec.loopKey === undefined ? {} : { ownLoopKey: true as const }),
    approval: approvalLevelOf(spec.capabilities),
    timeoutMs: spec.timeoutMs ?? defaultTimeoutMs,
    result: spec.result ?? 'general',
    ...(spec.title === undefined ? {} : { title: spec.title }),
    source: spec.source ?? 'built-in',
    ...(spec.definition === undefined ? {} : { definition: spec.definition }),
  };
}

function runsFreely(metadata: ToolMetadata | undefined): boolean {
  return metadata?.readOnly === true && metadata.approval === 'auto';
}

function validate(entry: Entry, input: Json): Validation {
  const { spec, schema } = entry;
  const { name } = entry.metadata;
  try {
    if (spec.inputSchema !== undefined) {
      const faults = checkSchema(schema, input);
      if (faults.length > 0 || !isJsonObject(input)) return { ok: false, error: schemaError(name, schema, input, faults) };
      const problem = spec.validateInput?.(input);
      return problem === undefined ? { ok: true, input } : { ok: false, error: problem };
    }
    const parsed = spec.input.safeParse(input);
    if (!parsed.success) return { ok: false, error: schemaError(name, schema, input, parsed.error.issues) };
    if (!isJsonObject(parsed.data)) return { ok: false, error: schemaError(name, schema, input, []) };
    const problem = spec.validateInput?.(parsed.data);
    return problem === undefined ? { ok: true, input: parsed.data } : { ok: false, error: problem };
  } catch (error) {
    const { error: kind, content } = thrownResult(error);
    return { ok: false, error: { kind: kind === 'execution-failed' || kind === undefined ? 'invalid-input' : kind, message: content } };
  }
}

function firstText(input: JsonObject): string {
  for (const value of Object.values(input)) if (typeof value === 'string' && value !== '') return value;
  return Object.keys(input).length === 0 ? '' : JSON.stringify(input);
}

const noPaths: TouchedPaths = { reads: [], writes: [] };

type Declaration = 'approvalRequirementForInput' | 'loopKey' | 'timeoutMsFor' | 'hostFor' | 'pathsFor' | 'summarize';

/** What a tool says about one input. A declaration that throws must not take the call with it: the fallback is the safe answer. */
function declared<Key extends Declaration>(
  spec: ToolSpec | undefined,
  key: Key,
  input: JsonObject,
  fallback?: ReturnType<NonNullable<ToolSpec[Key]>>,
): ReturnType<NonNullable<ToolSpec[Key]>> | undefined {
  try {
    return spec?.[key]?.(input) as ReturnType<NonNullable<ToolSpec[Key]>> | undefined;
  } catch {
    return fallback;
  }
}
