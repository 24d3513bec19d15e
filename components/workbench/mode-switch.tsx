'use client';
import { useEngine, usePage } from '@/lib/client/use-engine';
import { modeWords } from '@/lib/client/words';
import type { Mode } from '@/lib/contracts/approval';

const modes: readonly Mode[] = ['plan', 'ask', 'auto-edit', 'auto'];

/** How much the agent may do without asking. */
export function ModeSwitch() {
  const engine = useEngine();
  const mode = usePage((page) => page.session?.mode);
  return (
    <fieldset className="flex rounded-md border border-line-strong bg-surface-0 p-px" disabled={mode === undefined}>
      <legend className="sr-only">Mode</legend>
      {modes.map((name) => (
        <label
          key={name}
          title={modeWords[name].meaning}
          className="relative flex min-h-6 items-center rounded-[5px] px-2.5 text-ink-2 hover:text-ink-1 has-checked:bg-accent has-checked:font-medium has-checked:text-accent-ink has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-accent"
        >
          <input
            type="radio"
            name="mode"
            value={name}
            checked={mode === name}
            onChange={() => engine.setMode(name)}
            className="absolute inset-0 cursor-pointer appearance-none outline-none"
          />
          <span>{modeWords[name].label}</span>
        </label>
      ))}
    </fieldset>
  );
}
