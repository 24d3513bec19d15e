import { createInterface } from 'node:readline';
import type { ApprovalChoice, ApprovalRequest } from '@/lib/contracts/approval';
import type { EngineCommand } from '@/lib/contracts/commands';
import type { EngineEvent } from '@/lib/contracts/events';
import type { PersonAnswer, QuestionRequest } from '@/lib/contracts/question';
import { printable } from './printable';

/** What answers a turn's prompts and forms in the place of a page. */
export interface Answerer {
  take(event: EngineEvent): void;
  close(): void;
}

/**
 * Answers as a flag says. Prompts: all yes, all no, or by asking at the terminal (without one: no). Forms: `all` takes the first
 * option of each question; the terminal asks; else they are dismissed.
 */
export function answerer(approve: 'all' | 'none' | 'ask', send: (command: EngineCommand) => void): Answerer {
  const terminal = approve === 'ask' && process.stdin.isTTY ? createInterface({ input: process.stdin, output: process.stderr }) : undefined;
  const queue: (() => Promise<void>)[] = [];
  let asking = false;
  const next = async () => {
    if (asking) return;
    asking = true;
    for (let ask = queue.shift(); ask !== undefined; ask = queue.shift()) await ask();
    asking = false;
  };
  const later = (ask: () => Promise<void>) => {
    queue.push(ask);
    void next();
  };
  const question = async (text: string) => (await new Promise<string>((resolve) => terminal?.question(printable(text), resolve))).trim();

  const prompt = (event: EngineEvent, request: ApprovalRequest) => {
    const answer = (choice: ApprovalChoice, words?: string) =>
      send({
        type: 'approval-answer',
        sessionId: event.sessionId,
        answer: { approvalId: request.approvalId, choice, ...(words === undefined || words === '' ? {} : { words }) },
      });
    if (approve === 'all') return answer('once');
    if (terminal === undefined) return answer('deny', approve === 'ask' ? 'nobody is at a terminal to ask' : undefined);
    later(async () => {
      const said = await question(`\n${request.title}\n  ${request.subject}\n[y]es once, for the [s]ession, s[t]op, or words for no: `);
      if (said === 'y' || said === 'yes') answer('once');
      else if (said === 's') answer('session');
      else if (said === 't') answer('stop');
      else answer('deny', said === 'n' || said === 'no' ? undefined : said);
    });
  };
  const form = (event: EngineEvent, { questionId, questions }: QuestionRequest) => {
    const answer = (answers?: readonly PersonAnswer[]) =>
      send({ type: 'question-answer', sessionId: event.sessionId, answer: { questionId, ...(answers === undefined ? {} : { answers }) } });
    if (approve === 'all') {
      const first = questions.map(
        ({ options }): PersonAnswer => (options[0] === undefined ? { choices: [], words: 'Decide as you think best.' } : { choices: [options[0].label] }),
      );
      return answer(first);
    }
    if (terminal === undefined) return answer();
    later(async () => {
      const answers: PersonAnswer[] = [];
      for (const { question: asked, options, several } of questions) {
        const list = options
          .map(({ label, description }, index) => `  ${index + 1}. ${label}${description === undefined ? '' : `: ${description}`}\n`)
          .join('');
        const said = await question(
          `\n${asked}\n${list}${options.length === 0 ? '' : several ? 'numbers, or ' : 'a number, or '}words of your own; nothing to leave it unanswered: `,
        );
        if (said === '') return answer();
        answers.push(
          answerOf(
            said,
            options.map(({ label }) => label),
            several,
          ),
        );
      }
      answer(answers);
    });
  };
  return {
    take(event) {
      if (event.type === 'approval-start') prompt(event, event.request);
      else if (event.type === 'question-start') form(event, event.request);
    },
    close: () => terminal?.close(),
  };
}

/** `2` or `1, 3` names options; anything else is words. */
function answerOf(said: string, labels: readonly string[], several: boolean): PersonAnswer {
  const numbers = said.split(/[\s,]+/).map(Number);
  const chosen = numbers.map((number) => labels[number - 1]);
  if (chosen.some((label) => label === undefined) || (!several && chosen.length > 1)) return { choices: [], words: said };
  return { choices: [...new Set(chosen as string[])] };
}
