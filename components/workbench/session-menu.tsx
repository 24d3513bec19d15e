'use client';
import { ChevronDown } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { Menu, MenuChoice, MenuChoices, MenuItem, MenuLabel, MenuRule } from '@/components/ui/menu';
import { useEngine, usePage } from '@/lib/client/use-engine';
import type { SessionId } from '@/lib/contracts/ids';

/** The open session's name; opens the others and makes new ones. */
export function SessionMenu() {
  const engine = useEngine();
  const session = usePage((page) => page.session);
  const sessions = usePage((page) => page.sessions);
  const tasks = usePage((page) => page.tasks);
  const title = sessions.find((record) => record.sessionId === session?.sessionId)?.title ?? session?.title ?? 'No session';
  return (
    <Menu
      name="Session"
      trigger={
        <Button look="quiet" aria-label={`Session: ${title}`} className="max-w-72 min-w-0">
          <span className="truncate">{title}</span>
          <ChevronDown aria-hidden size={14} className="shrink-0 text-ink-3" />
        </Button>
      }
    >
      {sessions.length > 0 ? (
        <>
          <MenuLabel>Sessions</MenuLabel>
          <MenuChoices value={session?.sessionId ?? ''} onChange={(id) => void engine.openSession(id as SessionId)}>
            {sessions.slice(0, 12).map((record) => (
              <MenuChoice key={record.sessionId} value={record.sessionId}>
                <span className="min-w-0 flex-1 truncate">{record.title}</span>
                <span className="text-small text-ink-3">
                  {new Date(record.updatedAt).toLocaleString(undefined, { dateStyle: 'short', timeStyle: 'short' })}
                </span>
              </MenuChoice>
            ))}
          </MenuChoices>
          <MenuRule />
        </>
      ) : null}
      <MenuItem onSelect={() => void engine.createSession()}>New session</MenuItem>
      {tasks.map((task) => (
        <MenuItem key={task.taskId} onSelect={() => void engine.createSession(task.taskId)}>
          New practice: {task.title}
        </MenuItem>
      ))}
    </Menu>
  );
}
