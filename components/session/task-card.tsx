import { Play } from 'lucide-react';
import { Button } from '@/components/ui/button';
import type { TaskInfo } from '@/lib/contracts/commands';

/** A practice task, offered where the conversation is still empty. */
export function TaskCard({
  task,
  onStart,
  busy,
  first,
}: {
  readonly task: TaskInfo;
  readonly onStart: () => void;
  readonly busy: boolean;
  readonly first: boolean;
}) {
  return (
    <section aria-label={`Practice task: ${task.title}`} className="rounded-md border border-line-strong bg-surface-0 px-4 py-3.5">
      <p className="text-small text-ink-3">Practice · scripted, no AI, no key, no network</p>
      <h3 className="mt-0.5 text-title font-semibold">{task.title}</h3>
      <p className="mt-1 text-ink-2">{task.description}</p>
      <blockquote className="mt-2.5 border-l-2 border-line-strong pl-3 text-ink-2">{task.prompt}</blockquote>
      <Button look={first ? 'primary' : 'plain'} className="mt-3" onClick={onStart} disabled={busy}>
        <Play aria-hidden size={14} /> Start this task
      </Button>
    </section>
  );
}
