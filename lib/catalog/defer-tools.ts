import type { ToolDispatcher } from '@/lib/contracts/dispatcher';

/**
 * Holds back the tools that declare themselves deferred until they are activated.
 *
 * Out    the same dispatcher for one session: resident tools are sent first, activated ones behind them in the order in which they were
 *        activated, and there they stay, so that the bytes already sent never change.
 * Source governance 3.
 */
export function deferTools(dispatcher: ToolDispatcher): ToolDispatcher {
  const isDeferred = (name: string) => dispatcher.metadata(name)?.deferred === true;
  const activated = new Set<string>();
  return {
    ...dispatcher,
    isLoaded: (name) => dispatcher.has(name) && (!isDeferred(name) || activated.has(name)),
    activate(name) {
      if (isDeferred(name)) activated.add(name);
    },
    apiTools() {
      const all = dispatcher.apiTools();
      const byName = new Map(all.map((tool) => [tool.name, tool]));
      return [...all.filter(({ name }) => !isDeferred(name)), ...[...activated].flatMap((name) => byName.get(name) ?? [])];
    },
  };
}
