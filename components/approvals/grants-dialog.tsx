'use client';
import { X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { type RefObject, useCallback, useEffect, useState } from 'react';
import { Button, IconButton } from '@/components/ui/button';
import { useEngine } from '@/lib/client/use-engine';
import type { RememberedGrant } from '@/lib/contracts/approval';
import type { CommandResults } from '@/lib/contracts/commands';
import { visibleText } from '@/lib/shared/visible-text';

interface Props {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  /** Has the focus when the dialog closes. */
  readonly returnTo: RefObject<HTMLElement | null>;
}

/** What was allowed for longer than once, each to be taken back. */
export function GrantsDialog({ open, onOpenChange, returnTo }: Props) {
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-[oklch(0_0_0/0.4)]" />
        <Dialog.Content
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            returnTo.current?.focus();
          }}
          className="fixed top-1/2 left-1/2 z-50 max-h-[92dvh] w-[min(36rem,calc(100vw-1.5rem))] -translate-1/2 overflow-y-auto rounded-md border border-line-strong bg-surface-1 p-4 shadow-float"
        >
          <div className="flex items-start justify-between">
            <Dialog.Title className="text-title font-semibold">What you allowed</Dialog.Title>
            <Dialog.Close asChild>
              <IconButton name="Close" className="-mt-1 -mr-1">
                <X aria-hidden size={16} />
              </IconButton>
            </Dialog.Close>
          </div>
          <Dialog.Description className="text-ink-2">These calls run without asking. What you take back is asked for again.</Dialog.Description>
          <Grants />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Grants() {
  const engine = useEngine();
  const [known, setKnown] = useState<CommandResults['grant-list']>();
  const [problem, setProblem] = useState('');
  const load = useCallback(async () => {
    const told = await engine.listGrants();
    if (told?.ok) setKnown(told.value);
    else setProblem(told?.message ?? 'No session is open.');
  }, [engine]);
  useEffect(() => void load(), [load]);
  const takeBack = async (key: string): Promise<void> => {
    await engine.revokeGrant(key);
    await load();
  };
  if (problem !== '')
    return (
      <p role="alert" className="pt-2 text-bad">
        {problem}
      </p>
    );
  if (known === undefined) return <p className="pt-2 text-ink-2">Looking them up…</p>;
  return (
    <>
      <List name="In this session" grants={known.session} onTakeBack={takeBack} />
      <List name="Always in this workspace" grants={known.workspace} onTakeBack={takeBack} />
    </>
  );
}

function List({
  name,
  grants,
  onTakeBack,
}: {
  readonly name: string;
  readonly grants: readonly RememberedGrant[];
  readonly onTakeBack: (key: string) => Promise<void>;
}) {
  return (
    <section aria-label={name} className="pt-3">
      <h3 className="font-semibold">{name}</h3>
      {grants.length === 0 ? <p className="text-ink-2">Nothing: every call is decided by the rules and the mode.</p> : null}
      <ul className="space-y-1">
        {grants.map((grant) => (
          <li key={grant.key} className="flex items-start justify-between gap-2">
            <span className="min-w-0 wrap-anywhere">
              <code className="text-code">{grant.tool}</code>{' '}
              <span className="text-ink-2">{visibleText(grant.covers.startsWith('exactly this call') ? `${grant.covers}: ${grant.key}` : grant.covers)}</span>
            </span>
            <Button look="quiet" className="shrink-0" aria-label={`Take back: ${grant.tool} ${grant.covers}`} onClick={() => void onTakeBack(grant.key)}>
              Take back
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
