'use client';
import { useEffect, useRef } from 'react';
import { usePage } from '@/lib/client/use-engine';
import type { WorkspaceFiles } from '@/lib/client/workspace-files';

/** Shows each new edit of the agent as a diff tab. Edits made before the session was opened stay closed. */
export function useAgentEdits(files: WorkspaceFiles | undefined): void {
  const sessionId = usePage((page) => page.session?.sessionId);
  const edits = usePage((page) => page.session?.edits);
  const seen = useRef<{ readonly sessionId: string | undefined; count: number }>({ sessionId: undefined, count: 0 });
  useEffect(() => {
    if (!edits) return;
    if (seen.current.sessionId !== sessionId) {
      seen.current = { sessionId, count: edits.length };
      return;
    }
    const fresh = edits.slice(seen.current.count);
    seen.current.count = edits.length;
    // A command that changes many files at once does not flood the tabs: its card lists them all.
    if (files && fresh.length <= 5) for (const edit of fresh) files.followEdit(edit, isEditing());
  }, [files, sessionId, edits]);
}

function isEditing(): boolean {
  return document.querySelector('[data-place="editor"]')?.contains(document.activeElement) ?? false;
}
