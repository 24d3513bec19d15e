'use client';
import { ChevronRight, File, FilePlus2 } from 'lucide-react';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { IconButton } from '@/components/ui/button';
import { ProblemBar } from '@/components/ui/problem-bar';
import { usePage } from '@/lib/client/use-engine';
import { useFiles, useFilesState } from '@/lib/client/use-files';
import type { WorkspaceFiles, WorkspaceState } from '@/lib/client/workspace-files';
import { ownValue } from '@/lib/shared/own-value';
import { namedCharacters } from '@/lib/shared/visible-text';

interface Row {
  readonly path: string;
  readonly name: string;
  readonly kind: 'file' | 'directory';
  readonly depth: number;
}

/** The workspace's files as a tree with the arrow keys of a tree. */
export function FileTree() {
  const files = useFiles();
  const words = usePage((page) => page.runtimeText);
  const [naming, setNaming] = useState(false);
  return (
    <section aria-labelledby="files-title" className="flex min-h-0 flex-1 flex-col">
      <div className="flex min-h-8 items-center justify-between pr-1 pl-3">
        <h2 id="files-title" className="text-small font-semibold text-ink-2">
          Files
        </h2>
        <IconButton name="New file" disabled={!files} onClick={() => setNaming(true)}>
          <FilePlus2 aria-hidden size={16} />
        </IconButton>
      </div>
      {files ? (
        <>
          {naming ? <NewFile files={files} onDone={() => setNaming(false)} /> : null}
          <Tree files={files} />
        </>
      ) : (
        <p role="status" className="px-3 text-ink-2">
          Workspace: {words}
        </p>
      )}
    </section>
  );
}

function NewFile({ files, onDone }: { readonly files: WorkspaceFiles; readonly onDone: () => void }) {
  const [path, setPath] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <form
      data-keeps-escape
      className="px-2 pb-1"
      onSubmit={(event) => {
        event.preventDefault();
        const clean = path.trim().replace(/^\/+/, '');
        if (clean !== '' && !clean.endsWith('/')) void files.createFile(clean).then(onDone);
      }}
    >
      <input
        ref={field}
        aria-label="Path of the new file"
        placeholder="src/name.ts, then Enter"
        value={path}
        onChange={(event) => setPath(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onDone();
        }}
        onBlur={() => path === '' && onDone()}
        className="w-full rounded-sm border border-line-strong bg-surface-0 px-1.5 font-mono text-code placeholder:text-ink-3"
      />
    </form>
  );
}

function Tree({ files }: { readonly files: WorkspaceFiles }) {
  const state = useFilesState(files);
  const edits = usePage((page) => page.session?.edits);
  const edited = useMemo(() => new Set(edits?.map((edit) => edit.path)), [edits]);
  const rows = useMemo(() => rowsOf(state), [state]);
  const list = useRef<HTMLDivElement>(null);
  const [focused, setFocused] = useState('');
  const focus = rows.some((row) => row.path === focused) ? focused : rows[0]?.path;
  const activePath = state.files.tabs.find((tab) => tab.id === state.files.active);
  const shown = activePath && activePath.kind !== 'text' ? activePath.path : undefined;

  const goTo = (row: Row | undefined): void => {
    if (!row) return;
    setFocused(row.path);
    list.current?.querySelector<HTMLElement>(`[data-path="${CSS.escape(row.path)}"]`)?.focus();
  };
  const press = (row: Row): void => (row.kind === 'directory' ? files.toggleFolder(row.path) : void files.open(row.path));
  const onKeyDown = (event: KeyboardEvent, row: Row, at: number): void => {
    const open = state.expanded.has(row.path);
    if (event.key === 'ArrowDown') goTo(rows[at + 1]);
    else if (event.key === 'ArrowUp') goTo(rows[at - 1]);
    else if (event.key === 'Home') goTo(rows[0]);
    else if (event.key === 'End') goTo(rows.at(-1));
    else if (event.key === 'Enter' || event.key === ' ') press(row);
    else if (event.key === 'ArrowRight' && row.kind === 'directory') open ? goTo(rows[at + 1]) : files.toggleFolder(row.path);
    else if (event.key === 'ArrowLeft') {
      if (row.kind === 'directory' && open) files.toggleFolder(row.path);
      else goTo(rows.slice(0, at).findLast((above) => above.depth < row.depth));
    } else return;
    event.preventDefault();
  };

  return (
    <>
      {state.problem ? <ProblemBar onDismiss={() => files.dismissProblem()}>{state.problem}</ProblemBar> : null}
      {rows.length === 0 ? (
        <p className="px-3 text-ink-2">{state.folders[''] ? 'No files yet. Make the first one with the button above.' : 'Reading the files…'}</p>
      ) : (
        <div ref={list} role="tree" aria-label="Files" className="min-h-0 flex-1 overflow-auto pb-2">
          {rows.map((row, at) => (
            <div
              key={row.path}
              role="treeitem"
              aria-level={row.depth + 1}
              aria-selected={row.path === shown}
              aria-expanded={row.kind === 'directory' ? state.expanded.has(row.path) : undefined}
              aria-label={edited.has(row.path) ? `${namedCharacters(row.name)}, edited by the agent` : namedCharacters(row.name)}
              data-path={row.path}
              data-panel-focus={row.path === focus ? '' : undefined}
              tabIndex={row.path === focus ? 0 : -1}
              onClick={() => {
                setFocused(row.path);
                press(row);
              }}
              onKeyDown={(event) => onKeyDown(event, row, at)}
              className={`flex min-h-6 items-center gap-1 pr-2 whitespace-nowrap select-none ${row.path === shown ? 'bg-surface-3' : 'hover:bg-surface-2'}`}
              style={{ paddingLeft: 10 + row.depth * 14 }}
            >
              {row.kind === 'directory' ? (
                <ChevronRight aria-hidden size={14} className={`shrink-0 text-ink-3 transition-transform ${state.expanded.has(row.path) ? 'rotate-90' : ''}`} />
              ) : (
                <File aria-hidden size={14} className="shrink-0 text-ink-3" />
              )}
              <span className="truncate">{namedCharacters(row.name)}</span>
              {edited.has(row.path) ? (
                <span aria-hidden className="ml-auto text-small text-note" title="Edited by the agent">
                  edited
                </span>
              ) : null}
            </div>
          ))}
        </div>
      )}
    </>
  );
}

function rowsOf(state: WorkspaceState): readonly Row[] {
  const rows: Row[] = [];
  const walk = (folder: string, depth: number): void => {
    for (const entry of ownValue(state.folders, folder) ?? []) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      rows.push({ path, name: entry.name, kind: entry.kind, depth });
      if (entry.kind === 'directory' && state.expanded.has(path)) walk(path, depth + 1);
    }
  };
  walk('', 0);
  return rows;
}
