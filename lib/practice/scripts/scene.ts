import type { PracticeStep } from '@/lib/practice/script';
import type { PlacedCall, Story } from './story';

/** One slip of a model that does wrong on purpose: what it sends, how its calls are known again, what came of them. */
export interface Scene {
  /** False = it is left out: a tool is missing, or what came before went another way. Default: it is played. */
  fits?(story: Story, has: (tool: string) => boolean): boolean;
  isOf(call: PlacedCall): boolean;
  /** Default: until it was answered; once more when a stop of the turn took all of it. */
  isOpen?(story: Story): boolean;
  play(story: Story): PracticeStep & { readonly text: string };
  /** What the model did wrong and what the gate did about it; `calls` of the last time it was played, at least one. */
  tell(calls: readonly PlacedCall[], story: Story): string;
}

const timesInAll = 2;

export function callsOfScene(scene: Scene, story: Story): readonly PlacedCall[] {
  return story.calls.filter((call) => scene.isOf(call));
}

/** The calls of the last step in which the scene was played. */
export function lastPlayed(scene: Scene, story: Story): readonly PlacedCall[] {
  const calls = callsOfScene(scene, story);
  return calls.filter((call) => call.step === calls.at(-1)?.step);
}

export function isOpen(scene: Scene, story: Story): boolean {
  if (scene.isOpen !== undefined) return scene.isOpen(story);
  const last = lastPlayed(scene, story);
  if (last.length === 0) return true;
  const times = new Set(callsOfScene(scene, story).map((call) => call.step)).size;
  return times < timesInAll && last.every((call) => call.status === 'cancelled' && call.turn < story.turn);
}
