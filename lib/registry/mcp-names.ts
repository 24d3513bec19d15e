import { isLegalId, shortHash } from '@/lib/shared/legal-id';

/** A tool in its server's own spelling. */
export interface ServerTool {
  readonly server: string;
  readonly tool: string;
}

const LONGEST_NAME = 64;

/**
 * The names under which the tools of servers are sent to a model.
 *
 * In     every tool of every server, in any order; the same one twice counts once.
 * Out    wire name → tool, one entry a tool. `mcp__SERVER__TOOL` where that is legal and no other tool joins to it; else made legal, cut
 *        and ended by a hash of both full names. Of several tools that join to one text the one with the shortest server name keeps it.
 * Order  the same names whatever the order, and whenever they are made again.
 * Source governance 2; the cases of kind `mcp-names`.
 */
export function mcpWireNames(tools: readonly ServerTool[]): ReadonlyMap<string, ServerTool> {
  const distinct = new Map(tools.map((one) => [JSON.stringify([one.server, one.tool]), one]));
  const named = new Map<string, ServerTool>();
  // Sorted, so that who comes first does not depend on who was registered first.
  const inOrder = [...distinct].sort(([a, one], [b, other]) => one.server.length - other.server.length || (a < b ? -1 : 1));
  const changed: (readonly [string, ServerTool])[] = [];
  for (const [key, one] of inOrder) {
    const plain = joined(one);
    if (isLegalId(plain) && !named.has(plain)) named.set(plain, one);
    else changed.push([key, one]);
  }
  for (const [key, one] of changed) {
    let name = hashed(one, key);
    for (let again = 2; named.has(name); again++) name = hashed(one, `${again} ${key}`);
    named.set(name, one);
  }
  return named;
}

function joined({ server, tool }: ServerTool): string {
  return `mcp__${server}__${tool}`;
}

function hashed(one: ServerTool, key: string): string {
  const ending = `_${shortHash(key)}`;
  return (
    joined(one)
      .replace(/[^a-zA-Z0-9_-]/g, '_')
      .slice(0, LONGEST_NAME - ending.length) + ending
  );
}
