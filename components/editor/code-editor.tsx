'use client';
import { useEffect, useRef } from 'react';
import type { FileBuffer, Tab } from '@/lib/client/open-files';
import type { WorkspaceFiles } from '@/lib/client/workspace-files';
import { languageOf, monaco, sharedOptions } from './monaco';

interface Props {
  readonly tab: Extract<Tab, { kind: 'file' | 'text' }>;
  readonly buffer: FileBuffer | undefined;
  readonly files: WorkspaceFiles;
}

interface OpenModel {
  readonly model: monaco.editor.ITextModel;
  viewState: monaco.editor.ICodeEditorViewState | null;
  revision: number;
}

/** One Monaco editor for all file tabs; each tab keeps its model, cursor and scroll place. */
export default function CodeEditor({ tab, buffer, files }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const editor = useRef<monaco.editor.IStandaloneCodeEditor>(undefined);
  const models = useRef(new Map<string, OpenModel>());

  useEffect(() => {
    if (!place.current) return;
    const made = monaco.editor.create(place.current, { ...sharedOptions, model: null, tabSize: 2 });
    const open = models.current;
    editor.current = made;
    return () => {
      made.dispose();
      for (const { model } of open.values()) model.dispose();
      open.clear();
    };
  }, []);

  // Runs after every render: what it does is cheap where nothing changed.
  useEffect(() => {
    const made = editor.current;
    if (!made) return;
    const open = openModel(models.current, tab, buffer, files);
    if (made.getModel() !== open.model) {
      for (const other of models.current.values()) if (other.model === made.getModel()) other.viewState = made.saveViewState();
      made.setModel(open.model);
      made.restoreViewState(open.viewState);
    }
    if (buffer && open.revision !== buffer.revision) {
      open.revision = buffer.revision;
      if (open.model.getValue() !== buffer.text) open.model.pushEditOperations([], [{ range: open.model.getFullModelRange(), text: buffer.text }], () => null);
    }
    made.updateOptions({ readOnly: tab.kind === 'text', ariaLabel: tab.kind === 'text' ? `${tab.title}, read only` : tab.path });
    const { tabs } = files.state().files;
    for (const [id, closed] of models.current) {
      if (tabs.some((known) => known.id === id)) continue;
      closed.model.dispose();
      models.current.delete(id);
    }
  });

  return <div ref={place} className="h-full" />;
}

function openModel(models: Map<string, OpenModel>, tab: Props['tab'], buffer: FileBuffer | undefined, files: WorkspaceFiles): OpenModel {
  const known = models.get(tab.id);
  if (known) return known;
  const path = tab.kind === 'file' ? tab.path : undefined;
  const model = monaco.editor.createModel(
    path === undefined && tab.kind === 'text' ? tab.text : (buffer?.text ?? ''),
    path === undefined ? 'plaintext' : languageOf(path),
    path === undefined ? undefined : freeUri(path),
  );
  model.setEOL(monaco.editor.EndOfLineSequence.LF);
  if (path !== undefined) model.onDidChangeContent(() => files.change({ type: 'typed', path, text: model.getValue() }));
  const made: OpenModel = { model, viewState: null, revision: buffer?.revision ?? 0 };
  models.set(tab.id, made);
  return made;
}

// Another session may hold a model of the same path for a moment longer.
function freeUri(path: string): monaco.Uri {
  const uri = monaco.Uri.from({ scheme: 'file', path: `/${path}` });
  monaco.editor.getModel(uri)?.dispose();
  return uri;
}
