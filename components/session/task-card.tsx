import { Play } from 'lucide-react';
import { Button } from '@/components/ui/button';
import type { TaskInfo } from '@/lib/contracts/commands';

/** A practice task, offered where the conversation is still empty; the first is shown with its whole words. */
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
    <section
      aria-label={`Practice task: ${task.title}`}
      className={`rounded-md border bg-surface-0 px-4 ${first ? 'border-line-strong py-3.5' : 'border-line py-2.5'}`}
    >
      {first ? <p className="text-small text-ink-3">Practice · scripted, no AI, no key, no network</p> : null}
      <h3 className={first ? 'mt-0.5 text-title font-semibold' : 'font-semibold'}>{task.title}</h3>
      <p className="mt-1 text-ink-2">{task.description}</p>
      {first ? <blockquote className="mt-2.5 border-l-2 border-line-strong pl-3 text-ink-2">{task.prompt}</blockquote> : null}
      <Button look={first ? 'primary' : 'plain'} className={first ? 'mt-3' : 'mt-2'} onClick={onStart} disabled={busy}>
        <Play aria-hidden size={14} /> Start this task
      </Button>
    </section>
  );
}
