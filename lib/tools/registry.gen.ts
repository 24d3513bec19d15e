// Written by `npm run sync`; do not edit.
import type { ToolSpec } from '@/lib/contracts/tool-spec';
import { diagnostics } from './code/diagnostics';
import { applyPatch } from './files/apply-patch';
import { copyPath } from './files/copy-path';
import { deletePath } from './files/delete-path';
import { editFile } from './files/edit-file';
import { fileSearch } from './files/file-search';
import { grepFiles } from './files/grep-files';
import { listDir } from './files/list-dir';
import { makeDir } from './files/make-dir';
import { movePath } from './files/move-path';
import { readFile } from './files/read-file';
import { writeFile } from './files/write-file';
import { gitAdd } from './git/git-add';
import { gitCommit } from './git/git-commit';
import { gitDiff } from './git/git-diff';
import { gitLog } from './git/git-log';
import { gitStatus } from './git/git-status';
import { fetchUrl } from './net/fetch-url';
import { explainPolicy } from './policy/explain-policy';
import { handleRead } from './results/handle-read';
import { retrieveToolResult } from './results/retrieve-tool-result';
import { checklistList } from './session/checklist-list';
import { checklistUpdate } from './session/checklist-update';
import { checklistWrite } from './session/checklist-write';
import { notify } from './session/notify';
import { requestUserInput } from './session/request-user-input';
import { updatePlan } from './session/update-plan';
import { execShell } from './shell/exec-shell';
import { execShellCancel } from './shell/exec-shell-cancel';
import { execShellInteract } from './shell/exec-shell-interact';
import { execShellWait } from './shell/exec-shell-wait';
import { listSnapshots } from './undo/list-snapshots';
import { revertTurn } from './undo/revert-turn';

/** Every plug of lib/tools, by path. */
export const builtInTools: readonly ToolSpec[] = [
  diagnostics,
  applyPatch,
  copyPath,
  deletePath,
  editFile,
  fileSearch,
  grepFiles,
  listDir,
  makeDir,
  movePath,
  readFile,
  writeFile,
  gitAdd,
  gitCommit,
  gitDiff,
  gitLog,
  gitStatus,
  fetchUrl,
  explainPolicy,
  handleRead,
  retrieveToolResult,
  checklistList,
  checklistUpdate,
  checklistWrite,
  notify,
  requestUserInput,
  updatePlan,
  execShell,
  execShellCancel,
  execShellInteract,
  execShellWait,
  listSnapshots,
  revertTurn,
];
