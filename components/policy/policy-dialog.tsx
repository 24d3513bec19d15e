'use client';
import { ScrollText, TriangleAlert, X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { useState } from 'react';
import { Button, IconButton } from '@/components/ui/button';
import { policyPath, viewPolicy } from '@/lib/client/policy-view';
import { useEngine, usePage } from '@/lib/client/use-engine';
import { useFiles } from '@/lib/client/use-files';
import { PolicyPanel } from './policy-panel';

/** The button of the top bar that says which policy decides, and what stands behind it. */
export function PolicyDialog() {
  const engine = useEngine();
  const files = useFiles();
  const status = usePage((page) => page.session?.policy);
  const [open, setOpen] = useState(false);
  if (status === undefined) return null;
  const { state, word } = viewPolicy(status);
  const needsYou = state === 'broken' || state === 'waits';
  const Icon = needsYou ? TriangleAlert : ScrollText;
  return (
    <Dialog.Root open={open} onOpenChange={setOpen}>
      <Dialog.Trigger asChild>
        <Button look="quiet" aria-label={`Policy: ${word}`} title="Which calls pass, are asked for, or are denied" className="min-w-0 text-small">
          <Icon aria-hidden size={16} className={`shrink-0 ${needsYou ? 'text-ask' : 'text-ink-3'}`} />
          <span className={needsYou ? 'truncate text-ask' : 'truncate max-[1099px]:sr-only'}>Policy: {word}</span>
        </Button>
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-[oklch(0_0_0/0.4)]" />
        <Dialog.Content className="fixed top-1/2 left-1/2 z-50 max-h-[92dvh] w-[min(40rem,calc(100vw-1.5rem))] -translate-1/2 overflow-y-auto rounded-md border border-line-strong bg-surface-1 p-4 shadow-float">
          <div className="flex items-start justify-between">
            <Dialog.Title className="text-title font-semibold">Policy</Dialog.Title>
            <Dialog.Close asChild>
              <IconButton name="Close" className="-mt-1 -mr-1">
                <X aria-hidden size={16} />
              </IconButton>
            </Dialog.Close>
          </div>
          <Dialog.Description className="text-ink-2">
            Rules that let the agent’s calls pass, ask you, or deny them. Deny beats ask, ask beats allow.
          </Dialog.Description>
          <PolicyPanel
            status={status}
            commands={engine.policy}
            onOpenFile={() => {
              setOpen(false);
              void files?.open(policyPath);
            }}
          />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
