import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { practiceTasks } from '@/lib/practice/tasks';

test('every task is played with a tab that dies', () => {
  const played = readdirSync(import.meta.dirname).filter((name) => name !== 'every-task.test.ts');
  expect(played.sort()).toEqual(practiceTasks.map(({ taskId }) => `${taskId}.test.ts`).sort());
});
