'use client';
import { lazy, Suspense, useEffect, useState } from 'react';
import { Button } from '@/components/ui/button';
import { ProblemBar } from '@/components/ui/problem-bar';
import { type FileBuffer, isDirty } from '@/lib/client/open-files';
import { useFiles, useFilesState } from '@/lib/client/use-files';
import { baseName, type WorkspaceFiles } from '@/lib/client/workspace-files';
import { ownValue } from '@/lib/shared/own-value';
import { EditorTabs } from './editor-tabs';

const CodeEditor = lazy(() => import('./code-editor'));
const DiffEditor = lazy(() => import('./diff-editor'));

/** Tabs and what is in them; the editor itself is loaded when the first file opens. */
export function EditorPane() {
  const files = useFiles();
  if (!files) return <Empty />;
  return <OpenEditor files={files} />;
}

function Empty() {
  return (
    <div className="flex h-full items-center justify-center bg-surface-0 p-6 text-center text-ink-2">
      <div>
        <p>Open a file from the tree. What the agent edits opens here as a diff.</p>
        <p className="mt-2 text-small text-ink-3">
          <Key>F6</Key> next panel · <Key>Ctrl+`</Key> terminal · <Key>Ctrl+S</Key> save · <Key>Esc</Key> stop the turn
        </p>
      </div>
    </div>
  );
}

function Key({ children }: { readonly children: string }) {
  return <kbd className="rounded-sm border border-line-strong px-1 text-[11px]">{children}</kbd>;
}

function OpenEditor({ files }: { readonly files: WorkspaceFiles }) {
  const { files: open } = useFilesState(files);
  const [closing, setClosing] = useState<string>();
  const tab = open.tabs.find((item) => item.id === open.active);
  const path = tab?.kind === 'file' ? tab.path : undefined;

  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
      event.preventDefault();
      if (path !== undefined) void files.save(path);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [files, path]);

  const unsaved = Object.values(open.buffers).some(isDirty);
  useEffect(() => {
    if (!unsaved) return;
    const onLeave = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', onLeave);
    return () => window.removeEventListener('beforeunload', onLeave);
  }, [unsaved]);

  const close = (id: string): void => {
    const item = open.tabs.find((known) => known.id === id);
    if (item?.kind === 'file' && isDirty(ownValue(open.buffers, item.path))) return setClosing(id);
    files.change({ type: 'closed', id });
  };
  if (!tab) return <Empty />;
  const buffer = path === undefined ? undefined : ownValue(open.buffers, path);
  return (
    <div className="flex h-full min-h-0 flex-col bg-surface-0">
      <EditorTabs files={open} onActivate={(id) => files.change({ type: 'activated', id })} onClose={close} />
      {closing === undefined ? null : <CloseBar id={closing} files={files} onDone={() => setClosing(undefined)} />}
      {buffer?.theirs === undefined ? null : <ConflictBar buffer={buffer} files={files} />}
      {tab.kind === 'diff' ? (
        <div className="flex shrink-0 items-center justify-between gap-2 border-b border-line bg-surface-1 px-3 py-0.5">
          <span className="truncate text-small text-ink-2">
            <code>{tab.path}</code> · {tab.beforeLabel} | {tab.afterLabel}
          </span>
          <Button look="quiet" onClick={() => void files.open(tab.path)}>
            Open the file
          </Button>
        </div>
      ) : null}
      <div className="min-h-0 flex-1">
        <Suspense
          fallback={
            <p role="status" className="p-3 text-ink-2">
              Loading the editor…
            </p>
          }
        >
          {tab.kind === 'diff' ? <DiffEditor key={tab.id} tab={tab} /> : null}
          {/* Hidden, not unmounted, while a diff is shown: its models hold cursors and undo. */}
          <div className={tab.kind === 'diff' ? 'hidden' : 'h-full'}>
            <LastFile tab={tab.kind === 'diff' ? undefined : tab} buffer={buffer} files={files} />
          </div>
        </Suspense>
      </div>
    </div>
  );
}

function LastFile({
  tab,
  buffer,
  files,
}: {
  readonly tab: React.ComponentProps<typeof CodeEditor>['tab'] | undefined;
  readonly buffer: FileBuffer | undefined;
  readonly files: WorkspaceFiles;
}) {
  const [last, setLast] = useState(tab);
  if (tab && tab !== last) setLast(tab);
  const shown = tab ?? last;
  if (!shown || !files.state().files.tabs.some((known) => known.id === shown.id)) return null;
  return <CodeEditor tab={shown} buffer={buffer ?? (shown.kind === 'file' ? ownValue(files.state().files.buffers, shown.path) : undefined)} files={files} />;
}

function CloseBar({ id, files, onDone }: { readonly id: string; readonly files: WorkspaceFiles; readonly onDone: () => void }) {
  const { files: open } = useFilesState(files);
  const tab = open.tabs.find((item) => item.id === id);
  if (tab?.kind !== 'file') return null;
  const close = (): void => {
    files.change({ type: 'closed', id });
    onDone();
  };
  const saveAndClose = async (): Promise<void> => {
    await files.save(tab.path);
    if (!isDirty(ownValue(files.state().files.buffers, tab.path))) close();
    else onDone();
  };
  return (
    <ProblemBar level="warning">
      <Choices words={`${baseName(tab.path)} has changes that are not saved.`}>
        <Button onClick={() => void saveAndClose()}>Save and close</Button>
        <Button look="danger" onClick={close}>
          Close without saving
        </Button>
        <Button onClick={onDone}>Keep it open</Button>
      </Choices>
    </ProblemBar>
  );
}

function ConflictBar({ buffer, files }: { readonly buffer: FileBuffer; readonly files: WorkspaceFiles }) {
  const { path, theirs, text } = buffer;
  const compare = (): void =>
    files.show({
      kind: 'diff',
      id: `compare:${path}`,
      path,
      title: `${baseName(path)} (mine and theirs)`,
      before: theirs ?? '',
      after: text,
      beforeLabel: 'theirs, on disk',
      afterLabel: 'mine, not saved',
    });
  return (
    <ProblemBar level="warning">
      <Choices
        words={
          theirs === null
            ? `${baseName(path)} was removed while you were editing it. Your text is still here.`
            : `${baseName(path)} changed on disk while you were editing it. Both versions are kept.`
        }
      >
        <Button onClick={() => files.change({ type: 'kept-mine', path })}>Keep mine</Button>
        <Button onClick={() => files.change({ type: 'took-theirs', path })}>Take theirs</Button>
        {theirs === null ? null : <Button onClick={compare}>Compare</Button>}
      </Choices>
    </ProblemBar>
  );
}

function Choices({ words, children }: { readonly words: string; readonly children: React.ReactNode }) {
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <span>{words}</span>
      <span className="flex flex-wrap gap-1.5">{children}</span>
    </span>
  );
}
