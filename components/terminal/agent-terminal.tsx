'use client';
import { useEffect, useRef, useState } from 'react';
import { agentCommands, commandLine } from '@/lib/client/agent-commands';
import { usePage } from '@/lib/client/use-engine';
import type { CallView, SessionView } from '@/lib/client/view-types';
import { durationWords, jobEndWords, stateOf, stateWords } from '@/lib/client/words';
import type { PlacedTerminal } from './new-terminal';

interface Written {
  head: boolean;
  /** It was said that the command goes on in the background. */
  away: boolean;
  output: number;
  end: boolean;
}

/** What the agent's commands print, as it comes; nobody types here. */
export function AgentTerminal() {
  const session = usePage((page) => page.session);
  const place = useRef<HTMLDivElement>(null);
  const [placed, setPlaced] = useState<PlacedTerminal>();
  const written = useRef<{ sessionId: string | undefined; calls: Map<string, Written> }>({ sessionId: undefined, calls: new Map() });

  useEffect(() => {
    const box = place.current;
    if (!box) return;
    let gone = false;
    let made: PlacedTerminal | undefined;
    void import('./new-terminal').then(({ placeTerminal }) => {
      if (gone) return;
      made = placeTerminal(box, { readOnly: true, name: 'Commands of the agent, read only', onSize: () => undefined });
      written.current = { sessionId: undefined, calls: new Map() };
      setPlaced(made);
    });
    return () => {
      gone = true;
      made?.dispose();
      setPlaced(undefined);
    };
  }, []);

  useEffect(() => {
    if (placed && session) writeNews(placed, session, written.current);
  }, [placed, session]);

  const any = session !== undefined && agentCommands(session).length > 0;
  return (
    <div className="relative h-full">
      {any ? null : <p className="absolute inset-0 z-10 bg-surface-0 px-3 py-2 text-ink-2">Commands that the agent runs, and what they print, appear here.</p>}
      <div ref={place} className="h-full overflow-hidden" />
    </div>
  );
}

function writeNews({ terminal }: PlacedTerminal, session: SessionView, written: { sessionId: string | undefined; calls: Map<string, Written> }): void {
  if (written.sessionId !== session.sessionId) {
    terminal.reset();
    terminal.write('\x1b[?25l');
    written.sessionId = session.sessionId;
    written.calls.clear();
  }
  for (const call of agentCommands(session)) {
    const mark = written.calls.get(call.callId) ?? { head: false, away: false, output: 0, end: false };
    written.calls.set(call.callId, mark);
    if (mark.end) continue;
    if (!mark.head) terminal.write(`\x1b[1m$ ${plain(commandLine(call)).replaceAll('\n', '\n> ')}\x1b[0m\n`);
    mark.head = true;
    const news = call.outputLength - mark.output;
    if (news > 0) terminal.write(call.output.slice(-news));
    mark.output = call.outputLength;
    if (call.phase !== 'settled') continue;
    if (call.job?.status === 'running') {
      if (!mark.away) terminal.write(`\x1b[90m${call.job.taskId} runs in the background\x1b[0m\n`);
      mark.away = true;
      continue;
    }
    mark.end = true;
    terminal.write(endLine(call));
  }
}

// What a model wrote is shown, never obeyed: control characters would steer the terminal.
function plain(text: string): string {
  return text.replaceAll(/(?!\n)\p{Cc}/gu, '\uFFFD');
}

function endLine(call: CallView): string {
  if (call.job) return `${call.output === '' || call.output.endsWith('\n') ? '' : '\n'}\x1b[90m${jobEndWords(call.job)}\x1b[0m\n\n`;
  const stored = call.output === '' && call.outcome?.content ? `${plain(call.outcome.content)}\n` : '';
  const fresh = call.output === '' || call.output.endsWith('\n') ? '' : '\n';
  const time = call.durationMs === undefined ? '' : ` after ${durationWords(call.durationMs)}`;
  return `${stored}${fresh}\x1b[90m${stateWords[stateOf(call)]}${time}\x1b[0m\n\n`;
}
