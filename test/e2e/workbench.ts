import { expect, type Locator, type Page } from '@playwright/test';
import type { PracticePace } from '@/lib/contracts/commands';

/** The page as a person finds their way on it: by roles and names. */
export interface Workbench {
  readonly page: Page;
  readonly startTask: Locator;
  /** The list of turns. */
  readonly conversation: Locator;
  readonly message: Locator;
  readonly stop: Locator;
  /** The open prompt. */
  readonly approval: Locator;
  readonly deny: Locator;
  readonly allowOnce: Locator;
  /** The terminal that a person types into. */
  readonly shell: Locator;
  readonly files: Locator;
  readonly openFiles: Locator;
}

/** Names the parts of a page that is open or about to be. */
export function workbenchOf(page: Page): Workbench {
  const approval = page.getByRole('region', { name: /^Approval: / });
  return {
    page,
    startTask: page.getByRole('region', { name: 'Practice task: Fix the failing test' }).getByRole('button', { name: 'Start this task' }),
    conversation: page.getByRole('list', { name: 'Conversation' }),
    message: page.getByRole('textbox', { name: 'Message' }),
    stop: page.getByRole('button', { name: 'Stop', exact: true }),
    approval,
    deny: approval.getByRole('button', { name: 'Deny', exact: true }),
    allowOnce: approval.getByRole('button', { name: 'Allow once', exact: true }),
    shell: page.getByRole('tabpanel', { name: 'Shell' }),
    files: page.getByRole('tree', { name: 'Files' }),
    openFiles: page.getByRole('list', { name: 'Open files' }),
  };
}

/** The pace that a person chose before; holds from the next load on. */
export async function setPace(page: Page, pace: PracticePace): Promise<void> {
  await page.addInitScript((chosen) => {
    if (location.protocol === 'http:') localStorage.setItem('gatehouse.practice-pace', chosen);
  }, pace);
}

/**
 * Opens the page and waits until a turn can be sent and the workspace is there.
 *
 * In     `pace`: of the practice model; where nothing happens between the pieces of its answers, nothing is waited for.
 */
export async function openWorkbench(page: Page, pace: PracticePace = 'instant'): Promise<Workbench> {
  await setPace(page, pace);
  await page.goto('/');
  const workbench = workbenchOf(page);
  await ready(workbench);
  return workbench;
}

/** Waits until the page can be used, after a load or a reload. */
export async function ready({ page, message, files }: Workbench): Promise<void> {
  await expect(message).toBeVisible({ timeout: 60_000 });
  await expect(files.getByRole('treeitem', { name: 'package.json' })).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole('main').getByRole('alert')).toHaveCount(0);
}

/** Waits for the prompt whose card holds `about`. */
export async function prompted({ approval }: Workbench, about: string | RegExp): Promise<void> {
  await expect(approval).toContainText(about, { timeout: 60_000 });
}

/** Waits for a prompt about `about` and allows it once, by mouse. */
export async function allow(workbench: Workbench, about: string | RegExp): Promise<void> {
  await prompted(workbench, about);
  await workbench.allowOnce.click();
  await expect(workbench.approval.filter({ hasText: about })).toHaveCount(0);
}

/** Writes a message and sends it. */
export async function send({ page, message }: Workbench, text: string): Promise<void> {
  await message.fill(text);
  await page.getByRole('button', { name: 'Send' }).click();
}

/** Waits until turn number `count` of the session has ended, and how. */
export async function turnEnded({ conversation, stop }: Workbench, count: number, words: string | RegExp = 'The model is done'): Promise<void> {
  await expect(turn({ conversation }, count).getByText(words).last()).toBeVisible({ timeout: 90_000 });
  await expect(stop).toHaveCount(0);
}

/** A turn of the conversation, counted from 1. */
export function turn({ conversation }: Pick<Workbench, 'conversation'>, count: number): Locator {
  return conversation
    .getByRole('listitem')
    .filter({ has: conversation.page().getByText('You: ') })
    .nth(count - 1);
}

/** The row of a call, by its tool and what its line says. */
export function call({ conversation }: Pick<Workbench, 'conversation'>, tool: string, summary = ''): Locator {
  return conversation.getByRole('button', { name: new RegExp(`^${tool} ${escaped(summary)}`) });
}

/** Types a line into the shell, as soon as it prompts. */
export async function typeInShell(workbench: Workbench, line: string): Promise<void> {
  const { page } = workbench;
  await page.getByRole('tab', { name: 'Shell' }).click();
  await shellShows(workbench, /\$\s*$/);
  await page.getByRole('textbox', { name: 'Terminal input' }).focus();
  await page.keyboard.type(line);
  await page.keyboard.press('Enter');
}

/** Waits until the shell's screen shows `text`. */
export async function shellShows({ shell }: Workbench, text: string | RegExp): Promise<void> {
  // The terminal keeps its style sheet among its lines: only what is rendered counts.
  await expect(shell).toContainText(text, { useInnerText: true, timeout: 60_000 });
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
