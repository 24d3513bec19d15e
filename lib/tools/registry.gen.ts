// Written by `npm run sync`; do not edit.
import type { ToolSpec } from '@/lib/contracts/tool-spec';
import { editFile } from './files/edit-file';
import { fileSearch } from './files/file-search';
import { grepFiles } from './files/grep-files';
import { listDir } from './files/list-dir';
import { readFile } from './files/read-file';
import { writeFile } from './files/write-file';
import { updatePlan } from './session/update-plan';
import { execShell } from './shell/exec-shell';

/** Every plug of lib/tools, by path. */
export const builtInTools: readonly ToolSpec[] = [
  editFile,
  fileSearch,
  grepFiles,
  listDir,
  readFile,
  writeFile,
  updatePlan,
  execShell,
];
