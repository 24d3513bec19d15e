import { MeaningIcon, marks } from '@/components/ui/meaning';
import type { Repair } from '@/lib/contracts/plan';

/** Every mending of a call, in words. */
export function RepairList({ repairs }: { readonly repairs: readonly Repair[] }) {
  return (
    <ul className="space-y-0.5" aria-label="Repairs">
      {repairs.map((repair) => (
        <li key={`${repair.kind}:${repair.rung}:${repair.note}`} className="flex items-start gap-2">
          <span className="mt-0.5">
            <MeaningIcon meaning={marks.repaired} />
          </span>
          <span className="wrap-anywhere">
            <span className="text-note">repaired</span> {repair.note} <code className="text-ink-3">{repair.rung}</code>
          </span>
        </li>
      ))}
    </ul>
  );
}
