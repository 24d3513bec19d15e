import { AssertionError } from '@/lib/runtime/embedded/node/core/assert';
import { errorText, inspect } from '@/lib/runtime/embedded/node/core/inspect';
import type { TestNode } from './test-node';

/** Writes results as they come, in the manner of Node's `spec` reporter, and the summary at the end. */
export class TestReport {
  readonly #write: (text: string) => void;
  readonly #startedMs = performance.now();
  readonly #failed: TestNode[] = [];
  readonly #counts = { tests: 0, suites: 0, pass: 0, fail: 0, cancelled: 0, skipped: 0, todo: 0 };

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  get failed(): boolean {
    return this.#counts.fail + this.#counts.cancelled > 0;
  }

  result(node: TestNode): void {
    this.#count(node);
    for (let above = node.parent, missing: TestNode[] = []; ; above = above.parent) {
      if (above && above.depth >= 0 && !above.announced) missing = [above, ...missing];
      else {
        for (const parent of missing) {
          parent.announced = true;
          this.#line(parent, `▶ ${parent.name}`);
        }
        break;
      }
    }
    const time = ` (${Number(node.durationMs.toFixed(3))}ms)`;
    const { outcome } = node;
    if (outcome?.kind === 'skip') this.#line(node, `﹣ ${node.name} # ${outcome.reason ?? 'SKIP'}`);
    else if (node.todo !== false)
      this.#line(node, `${outcome?.kind === 'pass' ? '✔' : '⚠'} ${node.name}${time} # ${typeof node.todo === 'string' ? node.todo : 'TODO'}`);
    else this.#line(node, `${outcome?.kind === 'pass' ? '✔' : '✖'} ${node.name}${time}`);
    for (const note of node.diagnostics) this.#line(node, `ℹ ${note}`);
  }

  summary(): void {
    const { tests, suites, pass, fail, cancelled, skipped, todo } = this.#counts;
    const counts = { tests, suites, pass, fail, cancelled, skipped, todo, duration_ms: Number((performance.now() - this.#startedMs).toFixed(3)) };
    this.#write(
      Object.entries(counts)
        .map(([name, count]) => `# ${name} ${count}\n`)
        .join(''),
    );
    if (this.#failed.length === 0) return;
    this.#write('\n✖ failing tests:\n');
    for (const node of this.#failed) {
      const error = node.outcome?.kind === 'fail' ? node.outcome.error : undefined;
      // What was compared is in the message already.
      const shown = (error instanceof AssertionError ? errorText(error) : inspect(error))
        .split('\n')
        .map((line) => (line === '' ? '' : `  ${line}`))
        .join('\n');
      this.#write(`\ntest at ${node.location}\n✖ ${node.fullName} (${Number(node.durationMs.toFixed(3))}ms)\n${shown}\n`);
    }
  }

  #count(node: TestNode): void {
    const { outcome } = node;
    if (node.kind === 'suite') {
      this.#counts.suites++;
      // A suite fails by what is in it, which was told already, or by itself.
      if (outcome?.kind === 'fail' && !isChildFailure(outcome.error)) this.#failed.push(node);
      if (outcome?.kind === 'fail' && !isChildFailure(outcome.error)) this.#counts.fail++;
      return;
    }
    this.#counts.tests++;
    if (outcome?.kind === 'skip') this.#counts.skipped++;
    else if (node.todo !== false) this.#counts.todo++;
    else if (outcome?.kind === 'fail') {
      this.#counts[outcome.cancelled ? 'cancelled' : 'fail']++;
      if (!isChildFailure(outcome.error)) this.#failed.push(node);
    } else this.#counts.pass++;
  }

  #line(node: TestNode, text: string): void {
    this.#write(`${'  '.repeat(Math.max(node.depth, 0))}${text}\n`);
  }
}

const CHILD_FAILURE = 'ERR_SUBTESTS_FAILED';

/** The failure of a test because something below it failed. */
export function childFailure(count: number): Error {
  return Object.assign(new Error(`${count} subtest${count > 1 ? 's' : ''} failed`), { code: CHILD_FAILURE });
}

function isChildFailure(error: unknown): boolean {
  return error instanceof Error && (error as { code?: unknown }).code === CHILD_FAILURE;
}
