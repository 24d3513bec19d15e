import type { SpillRef } from '@/lib/contracts/ids';
import type { ToolResult } from '@/lib/contracts/outcome';
import { defineTool, type ToolSpec } from '@/lib/contracts/tool-spec';
import { z } from '@/lib/contracts/zod';
import { isJsonObject, type Json, type JsonObject } from '@/lib/shared/json';
import { createMemoryStores } from '@/lib/storage/memory-stores';
import { builtInTools } from '@/lib/tools/registry.gen';
import { type HandedBack, handBack } from './handed-back';
import { joinParts, named, type Runner, refuseUnknown, strings, text } from './runner';

const EXPECTED = ['wrapped', 'bodyContains', 'body', 'source', 'attributes', 'bodyLacksAfterStrip', 'text', 'maxMillis'];
const STORED_READERS = ['retrieve_tool_result', 'handle_read'];
/** What may not stand in a body, as the contract says it. */
const TAG = /<\s*\/?\s*external_content/i;

/** Kind `external-content`: the text that a result puts into the history. */
export const runExternalContent: Runner = async ({ input, expected }) => {
  refuseUnknown('input', input, ['tool', 'source', 'output', 'of', 'maxMillis']);
  refuseUnknown('expected', expected, EXPECTED);
  const wanted = isJsonObject(expected) ? expected : {};
  const limitMillis = [wanted.maxMillis, input.maxMillis].find((value) => typeof value === 'number');
  const output = joinParts(input.output);
  const startedAt = performance.now();
  const { content, events } = await handedOver(input, output);
  const tookMillis = performance.now() - startedAt;
  if (limitMillis !== undefined && tookMillis > Number(limitMillis)) throw new Error(`it took ${tookMillis} ms`);

  const tag = /^<external_content([^>]*)>\n/.exec(content);
  const closing = '\n</external_content>';
  // A file may hold what reads like a wrapper: only the last stage can say that it made one.
  const isOutside = events.some((event) => event.type === 'result-push' && event.origin !== undefined);
  const wrapped = isOutside && tag !== null && content.endsWith(closing);
  const body = wrapped ? content.slice(tag[0].length, content.length - closing.length) : content;
  if (wrapped) checkAlways(tag[1] as string, body);
  const source = /source="([^"]*)"/.exec(tag?.[1] ?? '')?.[1];
  return {
    ...named(expected, {
      wrapped,
      bodyContains: strings(wanted.bodyContains).filter((part) => body.includes(part)),
      body,
      source,
      attributes: (tag?.[1] ?? '').match(/\S+?="[^"]*"/g)?.length ?? 0,
      bodyLacksAfterStrip: !TAG.test(body.replace(/\p{Cf}/gu, '')),
      text: wrapped ? undefined : content,
    }),
    ...(wanted.maxMillis === undefined ? {} : { maxMillis: wanted.maxMillis }),
  };
};

function checkAlways(attributes: string, body: string): void {
  if (TAG.test(body)) throw new Error('the body holds a tag of the wrapper');
  const found = /^ source="([^"]*)"$/.exec(attributes);
  if (found === null) throw new Error(`the opening tag has other attributes than source: ${attributes}`);
  if (/["'<>\r\n\u2028\u2029]/.test(found[1] as string)) throw new Error(`the source could leave its attribute: ${found[1]}`);
}

/**
 * The case's text, put into the history. What was stored is stored by the product, and its reader says where it came from;
 * only the words of both results are the case's own.
 */
async function handedOver(input: JsonObject, output: string): Promise<HandedBack> {
  const tool = text(input.tool);
  if (!STORED_READERS.includes(tool)) return handBack({ tool, input: {} }, { tools: [standIn(tool, input.source, { content: output })] });
  if (!isJsonObject(input.of)) throw new Error(`${tool} needs \`of\`: the call whose stored result it reads`);
  refuseUnknown('of', input.of, ['tool', 'source']);
  const { spills } = createMemoryStores();
  const first = text(input.of.tool);
  const long = tool === 'handle_read' ? { content: 'see the data', data: { filler, wanted: output } } : { content: `${filler}\n${output}` };
  const stored = await handBack({ tool: first, input: {} }, { tools: [standIn(first, input.of.source, long), ...readers], spills });
  const ref = /(?:ref|handle)=(\S+) to /.exec(stored.content)?.[1];
  if (ref === undefined) throw new Error(`nothing was stored: ${stored.content.slice(-200)}`);
  const reader = readers.find(({ name }) => name === tool);
  if (reader === undefined) throw new Error(`there is no tool ${tool}`);
  const worded = { ...reader, execute: async (...given: Parameters<typeof reader.execute>) => ({ ...(await reader.execute(...given)), content: output }) };
  const reading: JsonObject = tool === 'handle_read' ? { handle: ref, jsonpath: '$.wanted' } : { ref };
  return handBack({ tool, input: reading }, { tools: [worded], spills, context: { readSpill: (asked: SpillRef) => spills.read(asked) } });
}

const readers = builtInTools.filter(({ name }) => STORED_READERS.includes(name));
const filler = 'x'.repeat(110_000);

/** A tool that is outside when its name says so, and answers with what the case gives. */
function standIn(name: string, source: Json | undefined, answer: Pick<ToolResult, 'content' | 'data'>): ToolSpec {
  const isOutside = name === 'fetch_url' || name.startsWith('mcp__');
  if (source !== null && source !== undefined) text(source);
  return defineTool({
    name,
    description: 'A tool of a case.',
    input: z.looseObject({}),
    capabilities: isOutside ? ['read-only', 'network'] : ['read-only'],
    execute: async () => ({ ok: true, ...answer, ...(isOutside && typeof source === 'string' ? { metadata: { origin: source } } : {}) }),
  });
}
