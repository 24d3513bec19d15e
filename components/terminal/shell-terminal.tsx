'use client';
import { useEffect, useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import type { Runtime, RuntimeProcess } from '@/lib/contracts/runtime';
import { messageOf } from '@/lib/shared/coded-error';
import type { PlacedTerminal } from './new-terminal';

/** A shell of the workspace's runtime, and a fresh one when it has ended. */
export function ShellTerminal({ runtime }: { readonly runtime: Runtime }) {
  const [round, setRound] = useState(0);
  return <Shell key={round} runtime={runtime} onAgain={() => setRound(round + 1)} />;
}

function Shell({ runtime, onAgain }: { readonly runtime: Runtime; readonly onAgain: () => void }) {
  const place = useRef<HTMLDivElement>(null);
  const [ended, setEnded] = useState<string>();
  const [loading, setLoading] = useState(true);

  useEffect(() => {
    const box = place.current;
    if (!box) return;
    let gone = false;
    let placed: PlacedTerminal | undefined;
    let shell: RuntimeProcess | undefined;
    const start = async (): Promise<void> => {
      const { placeTerminal } = await import('./new-terminal');
      if (gone) return;
      placed = placeTerminal(box, { readOnly: false, name: 'Terminal input', onSize: (size) => shell?.resize(size) });
      const { terminal } = placed;
      setLoading(false);
      shell = await runtime.spawn(runtime.info.shell[0], [], { terminal: { cols: terminal.cols, rows: terminal.rows } });
      if (gone) return shell.kill();
      shell.resize({ cols: terminal.cols, rows: terminal.rows });
      const writer = shell.input.getWriter();
      terminal.onData((text) => void writer.write(text).catch(() => undefined));
      const reader = shell.output.getReader();
      for (let next = await reader.read(); !next.done; next = await reader.read()) terminal.write(next.value);
      const code = await shell.exit;
      if (!gone) setEnded(`The shell ended with exit code ${code}.`);
    };
    setEnded(undefined);
    start().catch((error: unknown) => {
      if (!gone) setEnded(`The shell could not run: ${messageOf(error)}`);
    });
    return () => {
      gone = true;
      shell?.kill();
      placed?.dispose();
    };
  }, [runtime]);

  return (
    <div className="flex h-full min-h-0 flex-col">
      {loading && ended === undefined ? (
        <p role="status" className="px-3 py-1.5 text-ink-2">
          Opening the terminal…
        </p>
      ) : null}
      <div ref={place} className="min-h-0 flex-1 overflow-hidden" />
      {ended === undefined ? null : (
        <div role="status" className="flex flex-wrap items-center gap-3 border-t border-line px-3 py-1.5 text-ink-2">
          {ended}
          <Button onClick={onAgain}>Start a new shell</Button>
        </div>
      )}
    </div>
  );
}
