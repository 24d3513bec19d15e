import type { Mode } from '@/lib/contracts/approval';
import type { TurnEnd } from '@/lib/contracts/events';
import type { SlotStatus } from '@/lib/contracts/outcome';
import type { CallView } from './view-types';

/** The state of a call as a person sees it; each has a shape, a word and a colour. */
export type CallState = SlotStatus | 'dropped' | 'writing' | 'waiting' | 'asking' | 'running' | 'running-early';

export function stateOf(call: CallView): CallState {
  if (call.outcome) return call.outcome.status;
  if (call.phase === 'asking' || call.phase === 'running' || call.phase === 'dropped') return call.phase;
  if (call.early && call.early.aborted === undefined) return 'running-early';
  if (call.phase === 'writing') return 'writing';
  return 'waiting';
}

export const stateWords: Readonly<Record<CallState, string>> = {
  writing: 'being written',
  waiting: 'waiting its turn',
  asking: 'waiting for you',
  running: 'running',
  'running-early': 'running early',
  dropped: 'never finished',
  ok: 'done',
  failed: 'failed',
  denied: 'denied',
  refused: 'refused',
  blocked: 'blocked',
  cancelled: 'cancelled',
  'timed-out': 'timed out',
};

export const modeWords: Readonly<Record<Mode, { readonly label: string; readonly meaning: string }>> = {
  plan: { label: 'Plan', meaning: 'Reads only: whatever could change something is denied' },
  ask: { label: 'Ask', meaning: 'Asks before files change or a command does more than read' },
  'auto-edit': { label: 'Auto-edit', meaning: 'Edits pass; commands still ask' },
  auto: { label: 'Auto', meaning: 'Passes what the rules neither deny nor ask for' },
};

export const endWords: Readonly<Record<TurnEnd, string>> = {
  yielded: 'The model is done',
  stopped: 'Stopped',
  failed: 'The turn failed',
  halted: 'Halted after too many failures in a row',
  paused: 'Paused at the step limit',
};

/** A duration for people: `61 ms`, `2.4 s`, `1 min 5 s`. */
export function durationWords(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** A size for people, in powers of 1000: `812 bytes`, `30 KB`, `1.2 MB`. */
export function byteWords(bytes: number): string {
  if (bytes < 1000) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  if (bytes < 1_000_000) return `${bytes < 9_950 ? (bytes / 1000).toFixed(1) : Math.round(bytes / 1000)} KB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** A count of tokens for people: `812`, `1.2k`. */
export function tokenWords(count: number): string {
  return count < 1000 ? String(count) : `${(count / 1000).toFixed(1)}k`;
}

/** `1 read`, `3 reads`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** How a background command ended. */
export function jobEndWords(job: NonNullable<CallView['job']>): string {
  if (job.status === 'killed') return `${job.taskId} was ended`;
  if (job.status === 'timed-out') return `${job.taskId} was stopped by its timeout`;
  return `${job.taskId} ended: exit code ${job.exitCode ?? 'unknown'}`;
}
