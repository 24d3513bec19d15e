'use client';
import { FileDiff, FileText, X } from 'lucide-react';
import { IconButton } from '@/components/ui/button';
import { isDirty, type OpenFiles } from '@/lib/client/open-files';
import { baseName } from '@/lib/client/workspace-files';
import { ownValue } from '@/lib/shared/own-value';

/** The open files in a row. */
export function EditorTabs({
  files,
  onActivate,
  onClose,
}: {
  readonly files: OpenFiles;
  readonly onActivate: (id: string) => void;
  readonly onClose: (id: string) => void;
}) {
  return (
    <ul aria-label="Open files" className="flex min-h-8 shrink-0 overflow-x-auto border-b border-line bg-surface-1">
      {files.tabs.map((tab) => {
        const active = tab.id === files.active;
        const title = tab.kind === 'file' ? baseName(tab.path) : tab.title;
        const dirty = tab.kind === 'file' && isDirty(ownValue(files.buffers, tab.path));
        return (
          <li
            key={tab.id}
            className={`flex shrink-0 items-center border-r border-line pr-1 ${active ? 'bg-surface-0 shadow-[inset_0_2px_0_var(--accent)]' : 'text-ink-2 hover:bg-surface-2'}`}
          >
            <button
              type="button"
              aria-current={active || undefined}
              data-panel-focus={active ? '' : undefined}
              title={tab.kind === 'text' ? tab.title : tab.path}
              onClick={() => onActivate(tab.id)}
              onAuxClick={(event) => event.button === 1 && onClose(tab.id)}
              className="flex min-h-8 max-w-64 items-center gap-1.5 pr-1 pl-3"
            >
              {tab.kind === 'diff' ? (
                <FileDiff aria-hidden size={14} className="shrink-0 text-note" />
              ) : tab.kind === 'text' ? (
                <FileText aria-hidden size={14} className="shrink-0" />
              ) : null}
              <span className="truncate">{title}</span>
              {dirty ? (
                <>
                  <span aria-hidden className="size-2 shrink-0 rounded-full bg-ask" />
                  <span className="sr-only">, not saved</span>
                </>
              ) : null}
            </button>
            <IconButton name={`Close ${title}`} className="size-6" onClick={() => onClose(tab.id)}>
              <X aria-hidden size={14} />
            </IconButton>
          </li>
        );
      })}
    </ul>
  );
}
