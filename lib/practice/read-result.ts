/**
 * What came back for a call, as a model can tell it from the words of the slot.
 * refused: declined with a lesson. failed: the body ran and did not do it (or took too long).
 */
export type ResultStatus = 'ok' | 'denied' | 'refused' | 'cancelled' | 'failed';

export interface ResultView {
  readonly status: ResultStatus;
  readonly text: string;
  /** What the person wrote beside their no. */
  readonly words?: string;
}

const shownFile = /^[^\n]*(, lines \d+-\d+ of \d+| is empty )/;

/** How each tool begins a result that it is content with: on a wire that marks no errors this is all a model can go by. */
const contentBeginnings: Readonly<Record<string, RegExp>> = {
  read_file: shownFile,
  // A name that the gate reads as read_file; the history keeps it as the model wrote it.
  ReadFile: shownFile,
  list_dir: /^[^\n]*\/ \(\d+ files?[;)]/,
  grep_files: /^(\d+ matching lines? in|No line matches) /,
  write_file: /^(Created|Replaced) |^[^\n]* already has exactly this content/,
  edit_file: /^Edited /,
  apply_patch: /^Patched /,
  request_user_input: /^The person (answered:|does not want to answer)/,
  git_status: /^(On branch|Detached at) /,
  git_add: /^(Staged|Nothing was staged)/,
  git_commit: /^Committed /,
  retrieve_tool_result: /^\[/,
};

/** `exec_shell` names every exit code but 0 at the end of what was printed; a warning of the slot may follow. */
export const exitCodeEnding = /(?:^|\n)\[exit code (\d+)[^\]\n]*\]\s*(?:\n\n\[[^\n]*\]\s*)?$/;

/**
 * Reads one result.
 *
 * In     `text` as it stands in the history; `isError` undefined where the wire does not tell (`openai-chat`).
 * Out    its status. The slot's own sentences decide, and only at the very beginning: what a tool printed may quote them.
 */
export function readResult(tool: string, text: string, isError: boolean | undefined): ResultView {
  if (isError === false) return { status: 'ok', text };
  if (/^Denied by the person: /.test(text)) {
    const words = /They said: ([\s\S]*?) Only this call is denied, not the tool\./.exec(text)?.[1]?.trim();
    return words === undefined || words === '' ? { status: 'denied', text } : { status: 'denied', text, words };
  }
  if (/^\S+ was not executed: this call is denied\./.test(text)) return { status: 'denied', text };
  if (/^\S+ was not executed\b|^There is no tool named "/.test(text)) return { status: 'refused', text };
  if (/^Cancelled\b/.test(text)) return { status: 'cancelled', text };
  if (isError === true || /^\S+ was stopped: it took longer\b/.test(text) || exitCodeEnding.test(text)) return { status: 'failed', text };
  return { status: contentBeginnings[tool]?.test(text) === false ? 'failed' : 'ok', text };
}
