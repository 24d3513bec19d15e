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

/**
 * Reads one result.
 *
 * In     `text` as it stands in the history; `isError` where the wire tells it (`openai-chat` does not).
 * Out    its status. The slot's own sentences decide, and only at the very beginning: what a tool printed may quote them.
 */
export function readResult(text: string, isError: boolean): ResultView {
  const head = text.replace(/^Error:\s*/, '');
  if (/^Denied by the person: /.test(head)) {
    const words = /They said: ([\s\S]*?) Only this call is denied, not the tool\./.exec(head)?.[1]?.trim();
    return words === undefined || words === '' ? { status: 'denied', text } : { status: 'denied', text, words };
  }
  if (/^\S+ was not executed: this call is denied\./.test(head)) return { status: 'denied', text };
  if (/^\S+ was not executed\b/.test(head)) return { status: 'refused', text };
  if (/^Cancelled\b/.test(head)) return { status: 'cancelled', text };
  if (/^\S+ was stopped: it took longer\b/.test(head)) return { status: 'failed', text };
  return { status: isError || head !== text ? 'failed' : 'ok', text };
}
