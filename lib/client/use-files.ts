'use client';
import { createContext, useContext, useEffect, useState, useSyncExternalStore } from 'react';
import type { Runtime } from '@/lib/contracts/runtime';
import { createWorkspaceFiles, type WorkspaceFiles, type WorkspaceState } from './workspace-files';

const FilesContext = createContext<WorkspaceFiles | undefined>(undefined);
export const FilesProvider = FilesContext.Provider;

/** The files of `runtime`'s workspace; a new set whenever the runtime is another one. */
export function useNewFiles(runtime: Runtime | undefined): WorkspaceFiles | undefined {
  const [files, setFiles] = useState<WorkspaceFiles>();
  useEffect(() => {
    if (!runtime) return;
    const made = createWorkspaceFiles(runtime.fs);
    setFiles(made);
    return () => {
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
