'use client';
import { X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { type ReactNode, type RefObject, useId, useState } from 'react';
import { Button, IconButton } from '@/components/ui/button';
import type { Connecting } from '@/lib/client/engine-client';
import { addressProblem, modelPresets } from '@/lib/client/model-presets';
import { useEngine } from '@/lib/client/use-engine';

const fieldLook = 'block min-h-8 w-full rounded-md border border-line-strong bg-surface-0 px-2.5 placeholder:text-ink-3';

/** Asks for address, model and key of a model, tests them at once, and says in plain words what fails. */
export function ConnectModelDialog({
  open,
  onOpenChange,
  returnTo,
}: {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  /** Has the focus when the dialog closes: the menu item that opened it is gone by then. */
  readonly returnTo: RefObject<HTMLElement | null>;
}) {
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-[oklch(0_0_0/0.4)]" />
        <Dialog.Content
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            returnTo.current?.focus();
          }}
          className="fixed top-1/2 left-1/2 z-50 max-h-[92dvh] w-[min(30rem,calc(100vw-1.5rem))] -translate-1/2 overflow-y-auto rounded-md border border-line-strong bg-surface-1 p-4 shadow-float"
        >
          <div className="flex items-start justify-between">
            <Dialog.Title className="text-title font-semibold">Connect a model</Dialog.Title>
            <Dialog.Close asChild>
              <IconButton name="Close" className="-mt-1 -mr-1">
                <X aria-hidden size={16} />
              </IconButton>
            </Dialog.Close>
          </div>
          <Dialog.Description className="text-ink-2">The engine in this tab asks it directly. Until you test or use it, nothing is sent.</Dialog.Description>
          <ConnectForm onDone={() => onOpenChange(false)} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

type Outcome = { readonly kind: 'busy' | 'good' | 'bad'; readonly words: string };

function ConnectForm({ onDone }: { readonly onDone: () => void }) {
  const engine = useEngine();
  const [at, setAt] = useState(0);
  const preset = modelPresets[at] ?? modelPresets[0];
  const [baseUrl, setBaseUrl] = useState(preset?.baseUrl ?? '');
  const [model, setModel] = useState('');
  const [apiKey, setApiKey] = useState('');
  const [outcome, setOutcome] = useState<Outcome>();
  if (!preset) return null;

  const connection: Connecting = { provider: preset.provider, baseUrl: baseUrl.trim().replace(/\/+$/, ''), model: model.trim(), apiKey: apiKey.trim() };
  const missing = (): string | undefined => addressProblem(connection.baseUrl) ?? (connection.model === '' ? 'Write the name of the model.' : undefined);
  const run = async (busy: string, act: () => Promise<Outcome | undefined>): Promise<void> => {
    const problem = missing();
    if (problem) return setOutcome({ kind: 'bad', words: problem });
    setOutcome({ kind: 'busy', words: busy });
    setOutcome(await act());
  };
  const test = (): Promise<void> =>
    run('Asking the model for one word…', async () => {
      const answer = await engine.testModel(connection);
      return answer.ok
        ? { kind: 'good', words: `It works. The model answered: “${answer.value.reply.slice(0, 200)}”` }
        : { kind: 'bad', words: answer.message };
    });
  const use = (): Promise<void> =>
    run('Connecting…', async () => {
      const answer = await engine.connectModel(connection);
      if (!answer.ok) return { kind: 'bad', words: answer.message };
      onDone();
      return undefined;
    });
  const choosePreset = (index: number): void => {
    setAt(index);
    setBaseUrl(modelPresets[index]?.baseUrl ?? '');
    setOutcome(undefined);
  };
  const busy = outcome?.kind === 'busy';
  const tone = outcome?.kind === 'bad' ? 'border-bad bg-bad-soft' : outcome?.kind === 'good' ? 'border-good bg-good-soft' : 'border-line-strong bg-surface-2';

  return (
    // The browser's own check would keep the words below from being said.
    <form
      noValidate
      className="mt-3 space-y-3"
      onSubmit={(event) => {
        event.preventDefault();
        void test();
      }}
    >
      <Field label="Provider" hint={preset.hint}>
        {(id, hint) => (
          <select id={id} aria-describedby={hint} value={at} onChange={(event) => choosePreset(Number(event.target.value))} className={fieldLook}>
            {modelPresets.map((item, index) => (
              <option key={item.provider} value={index}>
                {item.label}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label="Address">
        {(id) => (
          <input
            id={id}
            type="url"
            spellCheck={false}
            autoComplete="off"
            value={baseUrl}
            onChange={(event) => setBaseUrl(event.target.value)}
            className={`${fieldLook} font-mono text-code`}
          />
        )}
      </Field>
      <Field label="Model">
        {(id) => (
          <input
            id={id}
            spellCheck={false}
            autoComplete="off"
            placeholder={`e.g. ${preset.modelExample}`}
            value={model}
            onChange={(event) => setModel(event.target.value)}
            className={`${fieldLook} font-mono text-code`}
          />
        )}
      </Field>
      <Field label="Key" hint="Kept in memory only: it is gone when this page is closed or reloaded. A local server often needs none.">
        {(id, hint) => (
          <input
            id={id}
            aria-describedby={hint}
            type="password"
            autoComplete="off"
            value={apiKey}
            onChange={(event) => setApiKey(event.target.value)}
            className={`${fieldLook} font-mono text-code`}
          />
        )}
      </Field>
      <div role="status" className={outcome ? `rounded-md border-l-2 px-3 py-1.5 wrap-anywhere ${tone}` : ''}>
        {outcome?.words}
      </div>
      <div className="flex justify-end gap-2">
        <Button type="submit" disabled={busy}>
          Test
        </Button>
        <Button look="primary" disabled={busy} onClick={() => void use()}>
          Use this model
        </Button>
      </div>
    </form>
  );
}

function Field({
  label,
  hint,
  children,
}: {
  readonly label: string;
  readonly hint?: string;
  readonly children: (id: string, hint: string | undefined) => ReactNode;
}) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className="mb-1 block font-medium">
        {label}
      </label>
      {children(id, hint ? `${id}-hint` : undefined)}
      {hint ? (
        <p id={`${id}-hint`} className="mt-1 text-small text-ink-2">
          {hint}
        </p>
      ) : null}
    </div>
  );
}
