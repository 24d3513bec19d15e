'use client';
import { ArrowDown } from 'lucide-react';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { ApprovalDock } from '@/components/approvals/approval-dock';
import { Button } from '@/components/ui/button';
import { ProblemBar } from '@/components/ui/problem-bar';
import { useEngine, usePage } from '@/lib/client/use-engine';
import { openTurn } from '@/lib/client/view-state';
import type { SessionView } from '@/lib/client/view-types';
import { endWords } from '@/lib/client/words';
import type { TaskInfo } from '@/lib/contracts/commands';
import { Composer } from './composer';
import { Notifier } from './notifier';
import { QuestionDock } from './question-form';
import { TaskCard } from './task-card';
import { Notice, TurnView } from './turn-view';

/** The session as people read it, prompts pinned above the composer. */
export function Conversation() {
  const engine = useEngine();
  const session = usePage((page) => page.session);
  const damaged = usePage((page) => page.damagedEvents);
  const problem = usePage((page) => page.problem);
  const role = usePage((page) => page.role);
  const { scroller, atEnd, toEnd } = useStickToEnd(session);
  return (
    <div className="flex h-full min-h-0 flex-col bg-surface-1">
      <h2 className="sr-only">Conversation</h2>
      <div className="relative min-h-0 flex-1">
        <div ref={scroller} tabIndex={0} role="group" aria-label="Messages" className="h-full overflow-y-auto overscroll-contain">
          {session && session.items.length === 0 ? <EmptyConversation /> : null}
          <ol aria-label="Conversation" className="divide-y divide-line">
            {session?.items.map((item) =>
              item.kind === 'turn' ? (
                <TurnView key={item.turn.turnId} turn={item.turn} />
              ) : (
                <li key={`notice:${item.seq}`} className="px-3 py-2">
                  <Notice notice={item} />
                </li>
              ),
            )}
          </ol>
        </div>
        {atEnd || !session?.items.length ? null : (
          <Button className="absolute right-4 bottom-2 shadow-float" onClick={toEnd}>
            <ArrowDown aria-hidden size={14} /> To the newest
          </Button>
        )}
      </div>
      {damaged > 0 ? (
        <ProblemBar level="warning">
          {damaged === 1 ? 'One stored event could not be read' : `${damaged} stored events could not be read`}; the rest of the session is shown, and the files
          are safe.
        </ProblemBar>
      ) : null}
      {role === 'follower' ? (
        <ProblemBar level="warning">
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span>
              Another tab has this session open. You follow it live; what you send or answer here is handed to it. Files and terminal are there; taking over
              stops a command that runs.
            </span>
            <Button onClick={() => void engine.takeOver()}>Take over here</Button>
          </span>
        </ProblemBar>
      ) : null}
      {problem && problem.place !== 'sessions' ? <ProblemBar onDismiss={() => engine.dismissProblem()}>{problem.text}</ProblemBar> : null}
      <ApprovalDock />
      <QuestionDock />
      <Notifier />
      <Composer />
      <TurnAnnouncer session={session} />
    </div>
  );
}

function EmptyConversation() {
  const engine = useEngine();
  const tasks = usePage((page) => page.tasks);
  const taskId = usePage((page) => page.session?.taskId);
  const practising = usePage((page) => page.model.kind === 'practice');
  const [busy, setBusy] = useState(false);
  const start = async (task: TaskInfo): Promise<void> => {
    setBusy(true);
    // The practice model plays its task only; a task begins on its own workspace.
    if (!practising) await engine.chooseModel('practice');
    if (taskId === task.taskId || (await engine.createSession(task.taskId))) await engine.send(task.prompt);
    setBusy(false);
  };
  return (
    <div className="space-y-3 p-3">
      {tasks.map((task, index) => (
        <TaskCard key={task.taskId} task={task} first={index === 0} busy={busy} onStart={() => void start(task)} />
      ))}
      <p className="px-1 text-ink-2">
        Or write below what the agent should do. Every call it makes passes one gate: you see what it asks for, why, and what came back.
      </p>
    </div>
  );
}

/** Says once how a turn began and ended; what streams in between is not read out. */
function TurnAnnouncer({ session }: { readonly session: SessionView | undefined }) {
  const last = session?.items.findLast((item) => item.kind === 'turn');
  const words = !session || !last ? '' : openTurn(session) ? 'The agent is working.' : last.turn.end ? endWords[last.turn.end.kind] : '';
  return (
    <p role="status" className="sr-only">
      {words}
    </p>
  );
}

function useStickToEnd(session: SessionView | undefined) {
  const scroller = useRef<HTMLDivElement>(null);
  const sticks = useRef(true);
  const [atEnd, setAtEnd] = useState(true);
  const items = session?.items.length ?? 0;
  const shown = useRef(items);
  useEffect(() => {
    const box = scroller.current;
    if (!box) return;
    let lastTop = box.scrollTop;
    const onScroll = (): void => {
      // Only a person scrolls up; content that grew or a panel that shrank does not let go of the end.
      if (box.scrollHeight - box.scrollTop - box.clientHeight < 48) sticks.current = true;
      else if (box.scrollTop < lastTop) sticks.current = false;
      lastTop = box.scrollTop;
      setAtEnd(sticks.current);
    };
    // A prompt that opens below takes room: the newest must stay in sight.
    const observer = new ResizeObserver(() => {
      if (sticks.current && shown.current > 0) box.scrollTop = box.scrollHeight;
    });
    observer.observe(box);
    box.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      observer.disconnect();
      box.removeEventListener('scroll', onScroll);
    };
  }, []);
  const toEnd = useCallback((): void => {
    sticks.current = true;
    const box = scroller.current;
    if (box) box.scrollTop = box.scrollHeight;
  }, []);
  useLayoutEffect(() => {
    // What a person just sent is what they want to see, wherever they were; an empty conversation is read from its top.
    if (items > shown.current) sticks.current = true;
    shown.current = items;
    if (sticks.current && session && items > 0) toEnd();
  }, [session, items, toEnd]);
  return { scroller, atEnd, toEnd };
}
