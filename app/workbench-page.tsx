'use client';
import { AppRoot } from '@/components/workbench/app-root';
import { makePageRuntime } from './page-runtime';

/** The page's composition root: the workbench, and the runtime that only a page can start. */
export function WorkbenchPage() {
  return <AppRoot makePageRuntime={makePageRuntime} />;
}
