import { counted } from '@/lib/client/words';
import type { ApprovalRequest } from '@/lib/contracts/approval';

/** What a yes for longer would also let through, counted on this session; of the chosen parts where some are chosen. */
export function ScopeWords({ id, request, chosen }: { readonly id: string; readonly request: ApprovalRequest; readonly chosen: ReadonlySet<string> }) {
  const { parts = [], partCovers = [], wouldHaveCovered = 0, grantCovers } = request;
  const ofParts = [...new Set(parts.flatMap((part, index) => (chosen.has(part.text) ? (partCovers[index] ?? []) : [])))];
  return (
    <div id={id} className="space-y-0.5 text-small wrap-anywhere text-ink-2">
      <p>For this session: {ofParts.length === 0 ? grantCovers : ofParts.join('; ')}.</p>
      <p>
        Always: the same, also in later sessions of this workspace, until you take it back.
        {ofParts.length === 0 && wouldHaveCovered > 0 ? ` It would also have covered ${counted(wouldHaveCovered, 'other call')} of this session.` : ''}
      </p>
      {ofParts.length === 0 ? null : <p>The other parts are allowed once.</p>}
    </div>
  );
}
