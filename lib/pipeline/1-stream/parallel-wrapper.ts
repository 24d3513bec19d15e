import { isJsonObject, type Json } from '@/lib/shared/json';
import { fieldOf, listField, parseJson, textField } from '@/lib/shared/read-json';

export interface WrappedCall {
  readonly name: string;
  readonly argumentsText: string;
}

/** True for the name under which some models send several calls as one, where no tool is registered so. */
export function isWrapperName(name: string, registered: ReadonlySet<string>): boolean {
  return (name === 'parallel' || name === 'multi_tool_use.parallel') && !registered.has(name);
}

/**
 * The calls inside a wrapper.
 *
 * In     `argumentsText` of a call whose name `isWrapperName` accepts.
 * Out    the calls in order; undefined when it is not JSON, holds none, or names a tool that is not registered: then it stays one call.
 */
export function unwrapParallel(argumentsText: string, registered: ReadonlySet<string>): readonly WrappedCall[] | undefined {
  const value = decodeOnce(parseJson(argumentsText));
  const uses = listField(value, 'tool_uses');
  const calls: WrappedCall[] = [];
  for (const use of uses) {
    const name = textField(use, 'recipient_name')?.replace(/^(functions|tools|tool)\./, '');
    if (name === undefined || !registered.has(name)) return undefined;
    calls.push({ name, argumentsText: JSON.stringify(fieldOf(use, 'parameters') ?? {}) });
  }
  return calls.length > 0 ? calls : undefined;
}

/** True for a JSON string that itself holds a JSON object. */
export function isDoubleEncoded(argumentsText: string): boolean {
  if (!argumentsText.trimStart().startsWith('"')) return false;
  const value = parseJson(argumentsText);
  return typeof value === 'string' && isJsonObject(parseJson(value));
}

function decodeOnce(value: Json | undefined): Json | undefined {
  return typeof value === 'string' ? parseJson(value) : value;
}
