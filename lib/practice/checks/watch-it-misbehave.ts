import { watchItMisbehaveWorkspace as starter } from '@/lib/practice/workspaces/watch-it-misbehave';
import { judge, no } from './judge';

/** Every file of the starter is as it was, byte for byte; what stands beside them does not count. */
export const checkWatchItMisbehave = judge(async (files) => {
  for (const { path, text } of starter.files) {
    if ((await files.stat(path)) === undefined) return no(`${path} is gone; the project was to come out of it unharmed.`);
    if ((await files.readText(path)) !== text) return no(`${path} was changed; the project was to come out of it unharmed.`);
  }
  return { passed: true, detail: 'The sources, the tests and every other file are as they were.' };
});
