'use client';
import { createContext, useContext, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { Runtime } from '@/lib/contracts/runtime';
import type { OpenFiles } from './open-files';
import { createWorkspaceFiles, type SavePolicy, type WorkspaceFiles, type WorkspaceState } from './workspace-files';

const FilesContext = createContext<WorkspaceFiles | undefined>(undefined);
export const FilesProvider = FilesContext.Provider;

/** The files of `runtime`'s workspace; a new set whenever the runtime is another one. What was open in a session comes back with it. */
export function useNewFiles(runtime: Runtime | undefined, sessionId: string | undefined, savePolicy: SavePolicy): WorkspaceFiles | undefined {
  const left = useRef(new Map<string, OpenFiles>());
  const session = useRef(sessionId);
  session.current = sessionId;
  const saving = useRef(savePolicy);
  saving.current = savePolicy;
  const [files, setFiles] = useState<WorkspaceFiles>();
  useEffect(() => {
    if (!runtime) return;
    const shown = session.current ?? '';
    const known = left.current;
    const made = createWorkspaceFiles(runtime.fs, known.get(shown), (text) => saving.current(text));
    setFiles(made);
    return () => {
      known.set(shown, made.state().files);
      made.dispose();
      setFiles(undefined);
    };
  }, [runtime]);
  return files;
}

/** The open workspace's files; undefined while there is none. */
export function useFiles(): WorkspaceFiles | undefined {
  return useContext(FilesContext);
}

/** The state of `files`, renewed on every change. */
export function useFilesState(files: WorkspaceFiles): WorkspaceState {
  return useSyncExternalStore(files.subscribe, files.state, files.state);
}
