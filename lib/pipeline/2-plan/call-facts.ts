import type { ToolDispatcher } from '@/lib/contracts/dispatcher';
import type { CallFacts } from '@/lib/contracts/policy';
import type { OutsideTracker } from './outside-bytes';
import type { PreparedCall } from './prepare-call';

/** The facts about a prepared call that its decision rests on; `tracker` knows what came from outside before it. */
export function callFacts(
  prepared: Pick<PreparedCall, 'tool' | 'input' | 'repairs'>,
  dispatcher: ToolDispatcher,
  tracker?: Pick<OutsideTracker, 'find'> | undefined,
): CallFacts {
  const { tool, input, repairs } = prepared;
  const { reads, writes, places = [], under } = dispatcher.pathsFor(tool, input);
  const metadata = dispatcher.metadata(tool);
  const outside = tracker?.find(input) ?? [];
  return {
    tool,
    input,
    capabilities: metadata?.capabilities ?? [],
    inputLevel: dispatcher.approvalRequirementFor(tool, input),
    repairs,
    // Protection looks at contents that are written, and at places that are made, moved or removed.
    writes: places.length === 0 ? writes : [...writes, ...places],
    ...(reads.length === 0 ? {} : { reads }),
    ...(under === undefined ? {} : { under }),
    ...(outside.length === 0 ? {} : { outside }),
    ...(metadata?.definition === undefined ? {} : { definition: metadata.definition }),
  };
}
