'use client';
import { FileTree } from './file-tree';
import { SessionList } from './session-list';

/** Files above, sessions below. */
export function SidePanel() {
  return (
    <div className="flex h-full min-h-0 flex-col bg-surface-1">
      <FileTree />
      <SessionList />
    </div>
  );
}
