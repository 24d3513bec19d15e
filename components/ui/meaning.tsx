import {
  Archive,
  Check,
  CircleDashed,
  Construction,
  Globe,
  Hand,
  Hourglass,
  LoaderCircle,
  type LucideIcon,
  Minus,
  OctagonX,
  PencilLine,
  Scissors,
  TimerOff,
  TriangleAlert,
  Undo2,
  Wrench,
  X,
  Zap,
} from 'lucide-react';
import type { CallState } from '@/lib/client/words';

/** One meaning: a shape first, then a word, then a colour. */
export interface Meaning {
  readonly icon: LucideIcon;
  readonly tone: string;
}

export const stateMeanings: Readonly<Record<CallState, Meaning>> = {
  writing: { icon: PencilLine, tone: 'text-ink-3' },
  waiting: { icon: Hourglass, tone: 'text-ink-3' },
  asking: { icon: Hand, tone: 'text-ask' },
  running: { icon: LoaderCircle, tone: 'text-accent' },
  'running-early': { icon: Zap, tone: 'text-note' },
  dropped: { icon: Minus, tone: 'text-ink-3' },
  ok: { icon: Check, tone: 'text-good' },
  failed: { icon: X, tone: 'text-bad' },
  denied: { icon: OctagonX, tone: 'text-bad' },
  refused: { icon: Construction, tone: 'text-block' },
  blocked: { icon: Construction, tone: 'text-block' },
  cancelled: { icon: Minus, tone: 'text-ink-3' },
  'timed-out': { icon: TimerOff, tone: 'text-bad' },
};

export const verdictMeanings = {
  allow: { icon: Check, tone: 'text-good', word: 'allows' },
  ask: { icon: Hand, tone: 'text-ask', word: 'asks' },
  deny: { icon: OctagonX, tone: 'text-bad', word: 'denies' },
  refuse: { icon: Construction, tone: 'text-block', word: 'refuses' },
  block: { icon: Construction, tone: 'text-block', word: 'blocks' },
  repair: { icon: Wrench, tone: 'text-note', word: 'repairs' },
  none: { icon: CircleDashed, tone: 'text-ink-3', word: 'no opinion' },
} as const;

export const marks = {
  repaired: { icon: Wrench, tone: 'text-note' },
  early: { icon: Zap, tone: 'text-note' },
  outside: { icon: Globe, tone: 'text-ask' },
  cut: { icon: Scissors, tone: 'text-note' },
  kept: { icon: Archive, tone: 'text-note' },
  problems: { icon: TriangleAlert, tone: 'text-ask' },
  undone: { icon: Undo2, tone: 'text-note' },
} as const satisfies Record<string, Meaning>;

/** The shape of a meaning. The word stands beside it, so that the shape itself is silent. */
export function MeaningIcon({ meaning, spins = false, size = 16 }: { readonly meaning: Meaning; readonly spins?: boolean; readonly size?: number }) {
  const Icon = meaning.icon;
  return <Icon aria-hidden size={size} strokeWidth={2} className={`shrink-0 ${meaning.tone} ${spins ? 'animate-spin' : ''}`} />;
}
