import type { PracticeScript, PracticeStep } from '@/lib/practice/script';
import { declines } from './person-words';
import { joined } from './result-words';
import { isOpen, lastPlayed, type Scene } from './scene';
import { readStory, type Story } from './story';
import { aftermath, scenes } from './watch-it-misbehave-scenes';
import * as words from './watch-it-misbehave-words';

/** The words in the composer. */
export const watchItMisbehavePrompt =
  'Misbehave on purpose: do wrong what models do wrong, one thing after the other, and tell me after each what you did and what the gate did about it. The project has to come out of it unharmed.';

/** Plays `watch-it-misbehave`: one slip a step; what came of it is told at the start of the next. */
export const watchItMisbehaveScript: PracticeScript = {
  taskId: 'watch-it-misbehave',
  title: 'Watch it misbehave',
  needs: ['read_file', 'write_file', 'list_dir', 'grep_files', 'exec_shell'],
  isFor: (conversation) => conversation.turns.some((turn) => /\bmisbehave\b/i.test(turn.userText)),
  next(conversation) {
    const story = readStory(conversation);
    const isNewTurn = story.stepsThisTurn === 0 && story.calls.some((call) => call.turn < story.turn);
    if (isNewTurn && declines(story.userText)) return { text: words.standDown };
    const step = nextStep(story, (tool) => conversation.toolNames.has(tool));
    return isNewTurn && !isTold(story) ? { ...step, text: joined(words.resumed, step.text) } : step;
  },
};

function nextStep(story: Story, has: (tool: string) => boolean): PracticeStep {
  const scene = scenes.find((candidate) => isOpen(candidate, story) && candidate.fits?.(story, has) !== false);
  const told = tellLast(story, scene);
  if (scene !== undefined) {
    const step = scene.play(story);
    return { ...step, text: joined(told, step.text) };
  }
  return { text: isTold(story) ? words.afterwards : joined(told, words.summary(story)) };
}

/** What came of the scene of the last call, unless that scene goes on. */
function tellLast(story: Story, next: Scene | undefined): string {
  const last = story.calls.at(-1);
  const scene = last === undefined ? undefined : scenes.find((candidate) => candidate.isOf(last));
  return scene === undefined || scene === next ? '' : scene.tell(lastPlayed(scene, story), story);
}

/** Everything was played and summed up in an earlier turn. */
function isTold(story: Story): boolean {
  const last = lastPlayed(aftermath, story).at(-1);
  return last !== undefined && !isOpen(aftermath, story) && story.spoken.some((at) => at > last.at);
}
