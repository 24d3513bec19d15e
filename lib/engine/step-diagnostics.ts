import type { Clock } from '@/lib/contracts/clock';
import type { Diagnostic, DiagnosticsReport, LanguagePort } from '@/lib/contracts/diagnostics';
import type { ToolDispatcher } from '@/lib/contracts/dispatcher';
import type { EngineEventBody } from '@/lib/contracts/events';
import type { CallId } from '@/lib/contracts/ids';
import type { SlotOutcome } from '@/lib/contracts/outcome';
import type { PlannedCall } from '@/lib/contracts/plan';
import { messageOf } from '@/lib/shared/coded-error';

export interface DiagnosticsPorts {
  /** Absent = nothing is known of the languages of this workspace. */
  readonly language: LanguagePort | undefined;
  readonly dispatcher: ToolDispatcher;
  readonly clock: Pick<Clock, 'after'>;
  readonly emit: (event: EngineEventBody) => void;
}

/** What stands behind a result about the files that its step changed; undefined = nothing. */
export type DiagnoseResult = (call: PlannedCall, outcome: SlotOutcome) => Promise<string | undefined> | string | undefined;

/** The eyes of one session. */
export interface SessionDiagnostics {
  /** Of one step: asked for each result in call order, it answers once. */
  ofStep(planned: readonly PlannedCall[], signal: AbortSignal): DiagnoseResult;
}

/** Milliseconds that a step waits; the compiler's first start may take longer, and then its answer comes with a later result. */
const deadlineMs = 5_000;
const shownProblems = 20;
const shownUnits = 300;
/** Problems that an event holds; the rest is counted. */
const loggedProblems = 50;

/**
 * Makes the eyes of a session: problems of the files that a step edited, collected once when its last edit is through.
 *
 * Out    text behind that result. What comes too late stands behind the next result instead, and is never lost.
 * Source governance 13.
 */
export function createSessionDiagnostics(ports: DiagnosticsPorts): SessionDiagnostics {
  const { language } = ports;
  if (language === undefined) return { ofStep: () => () => undefined };
  /** A check that a step did not wait for. */
  let owed: { readonly paths: readonly string[]; answer?: DiagnosticsReport } | undefined;
  let troubled = false;

  const tell = (callId: CallId, report: DiagnosticsReport, late: boolean): string => {
    const { checked, found } = report;
    ports.emit({ type: 'diagnostics', callId, checked, found: found.slice(0, loggedProblems), count: found.length, ...(late ? { late } : {}) });
    return diagnosticsWords(report, late);
  };
  const trouble = (error: unknown) => {
    if (troubled) return;
    troubled = true;
    ports.emit({
      type: 'notice',
      level: 'warning',
      code: 'no-diagnostics',
      text: `Problems of edited files cannot be shown (${messageOf(error)}). Edits themselves are not affected; a reload tries again.`,
    });
  };
  const look = async (callId: CallId, paths: readonly string[], signal: AbortSignal): Promise<string | undefined> => {
    const waiting: NonNullable<typeof owed> = { paths };
    owed = waiting;
    let cancel = () => {};
    const late = new Promise<'late'>((resolve) => {
      cancel = ports.clock.after(deadlineMs, () => resolve('late'));
      signal.addEventListener('abort', () => resolve('late'), { once: true });
    });
    const asked = language.check(paths).then(
      (report) => {
        waiting.answer = report;
        return report;
      },
      (error: unknown) => {
        if (owed === waiting) owed = undefined;
        trouble(error);
        return undefined;
      },
    );
    const first = await Promise.race([asked, late]);
    cancel();
    if (first === 'late') return signal.aborted ? undefined : `[Diagnostics of ${listed(paths)} are not ready yet; they follow with a later result.]`;
    if (owed === waiting) owed = undefined;
    return first && tell(callId, first, false);
  };

  return {
    ofStep(planned, signal) {
      const edits = planned.filter(
        (call) => call.stopped === undefined && ports.dispatcher.metadata(call.tool)?.capabilities.includes('writes-files') === true,
      );
      const last = edits.at(-1)?.call.callId;
      // While a person looks at the edit, the compiler reads what is there: its first start takes seconds.
      const due = edits.flatMap((call) => ports.dispatcher.pathsFor(call.tool, call.input).writes).filter((path) => language.knows(path));
      if (due.length > 0) language.warm(due);
      const touched = new Set<string>();
      return (call, outcome) => {
        const { callId } = call.call;
        if (outcome.status === 'ok' && edits.includes(call))
          for (const path of editedPaths(call, outcome, ports.dispatcher)) if (language.knows(path)) touched.add(path);
        const looksNow = callId === last && touched.size > 0 && !signal.aborted;
        const before = owed?.answer;
        // Files that are looked at again now need no word of how they were.
        if (looksNow) return look(callId, [...new Set([...(owed?.paths ?? []), ...touched])].sort(), signal);
        if (before === undefined) return undefined;
        owed = undefined;
        return tell(callId, before, true);
      };
    },
  };
}

function editedPaths(call: PlannedCall, outcome: SlotOutcome, dispatcher: ToolDispatcher): readonly string[] {
  if (outcome.changes !== undefined) return outcome.changes.filter(({ after }) => after !== null).map(({ path }) => path);
  return dispatcher.pathsFor(call.tool, outcome.editedInput ?? call.input).writes;
}

/** A report as the model reads it. */
export function diagnosticsWords({ checked, found, leftOut }: DiagnosticsReport, late: boolean): string {
  const after = late ? 'Diagnostics of an earlier edit' : 'Diagnostics';
  const rest = leftOut === undefined ? '' : `\n${leftOut}`;
  if (found.length === 0) return `[${after}: no problems in ${listed(checked)}.${rest}]`;
  const lines = found.slice(0, shownProblems).map(problemLine);
  const more = found.length > lines.length ? `\n… and ${found.length - lines.length} more; call diagnostics to see all` : '';
  return `[${after}: ${found.length} ${found.length === 1 ? 'problem' : 'problems'} in ${listed(checked)}.\n${lines.join('\n')}${more}${rest}]`;
}

function problemLine({ path, line, column, severity, code, message }: Diagnostic): string {
  const words = message.replace(/\s+/g, ' ');
  return `${path}:${line}:${column} ${severity} ${code}: ${words.length > shownUnits ? `${words.slice(0, shownUnits - 1)}…` : words}`;
}

function listed(paths: readonly string[]): string {
  return paths.length <= 5 ? paths.join(', ') : `${paths.slice(0, 5).join(', ')} and ${paths.length - 5} more files`;
}
