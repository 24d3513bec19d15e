import type { ToolDispatcher } from '@/lib/contracts/dispatcher';
import type { CallFacts, DecisionFacts } from '@/lib/contracts/policy';
import type { OutsideTracker } from './outside-bytes';
import type { PreparedCall } from './prepare-call';

/** The facts about a prepared call that its decision rests on; `tracker` knows what came from outside before it. */
export function callFacts(
  prepared: Pick<PreparedCall, 'tool' | 'input' | 'repairs'>,
  dispatcher: ToolDispatcher,
  tracker?: Pick<OutsideTracker, 'find'> | undefined,
): CallFacts {
  const { tool, input, repairs } = prepared;
  return { tool, input, repairs, ...decisionFacts(prepared, dispatcher, tracker) };
}

/** The same without what the call itself says. */
export function decisionFacts(
  { tool, input }: Pick<PreparedCall, 'tool' | 'input'>,
  dispatcher: ToolDispatcher,
  tracker: Pick<OutsideTracker, 'find'> | undefined,
): DecisionFacts {
  const { reads, writes, places = [], under } = dispatcher.pathsFor(tool, input);
  const metadata = dispatcher.metadata(tool);
  const outside = tracker?.find(input);
  const facts: { -readonly [Key in keyof DecisionFacts]: DecisionFacts[Key] } = {
    capabilities: metadata?.capabilities ?? [],
    inputLevel: dispatcher.approvalRequirementFor(tool, input),
    // Protection looks at contents that are written, and at places that are made, moved or removed.
    writes: places.length === 0 ? writes : [...writes, ...places],
  };
  if (reads.length > 0) facts.reads = reads;
  if (under !== undefined) facts.under = under;
  if (outside !== undefined && outside.length > 0) facts.outside = outside;
  if (metadata?.definition !== undefined) facts.definition = metadata.definition;
  return facts;
}
