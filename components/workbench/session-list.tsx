'use client';
import { Plus, Trash2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button, IconButton } from '@/components/ui/button';
import { ProblemBar } from '@/components/ui/problem-bar';
import { useEngine, usePage } from '@/lib/client/use-engine';
import type { SessionId } from '@/lib/contracts/ids';

/** Every session: open, make, remove. Removing asks in its own row. */
export function SessionList() {
  const engine = useEngine();
  const sessions = usePage((page) => page.sessions);
  const current = usePage((page) => page.session?.sessionId);
  const problem = usePage((page) => page.problem);
  const [removing, setRemoving] = useState<SessionId>();
  return (
    <section aria-labelledby="sessions-title" className="flex max-h-[40%] shrink-0 flex-col border-t border-line">
      <div className="flex min-h-8 items-center justify-between pr-1 pl-3">
        <h2 id="sessions-title" className="text-small font-semibold text-ink-2">
          Sessions
        </h2>
        <IconButton name="New session" onClick={() => void engine.createSession()}>
          <Plus aria-hidden size={16} />
        </IconButton>
      </div>
      {problem?.place === 'sessions' ? <ProblemBar onDismiss={() => engine.dismissProblem()}>{problem.text}</ProblemBar> : null}
      <ul className="min-h-0 overflow-y-auto pb-1">
        {sessions.map((record) =>
          removing === record.sessionId ? (
            <RemoveRow
              key={record.sessionId}
              title={record.title}
              onKeep={() => setRemoving(undefined)}
              onRemove={() => {
                setRemoving(undefined);
                void engine.removeSession(record.sessionId);
              }}
            />
          ) : (
            <li key={record.sessionId} className={`group flex items-center pr-1 ${record.sessionId === current ? 'bg-surface-3' : 'hover:bg-surface-2'}`}>
              <button
                type="button"
                aria-current={record.sessionId === current || undefined}
                onClick={() => void engine.openSession(record.sessionId)}
                className="min-h-7 min-w-0 flex-1 truncate pl-3 text-left"
                title={record.title}
              >
                {record.title}
              </button>
              <IconButton
                name={`Remove ${record.title}`}
                className="size-6 opacity-0 group-hover:opacity-100 focus-visible:opacity-100 max-[1099px]:opacity-100"
                onClick={() => setRemoving(record.sessionId)}
              >
                <Trash2 aria-hidden size={14} />
              </IconButton>
            </li>
          ),
        )}
      </ul>
    </section>
  );
}

function RemoveRow({ title, onKeep, onRemove }: { readonly title: string; readonly onKeep: () => void; readonly onRemove: () => void }) {
  const keep = useRef<HTMLButtonElement>(null);
  useEffect(() => keep.current?.focus(), []);
  return (
    <li className="border-l-2 border-bad bg-bad-soft px-3 py-1.5">
      <p className="wrap-anywhere">Remove “{title}” with its conversation and files? This cannot be undone.</p>
      <div className="mt-1 flex flex-wrap gap-1.5">
        <Button ref={keep} onClick={onKeep}>
          Keep
        </Button>
        <Button look="danger" onClick={onRemove}>
          Remove the session
        </Button>
      </div>
    </li>
  );
}
