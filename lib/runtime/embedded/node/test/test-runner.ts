import type { EventLoop } from '@/lib/runtime/embedded/node/event-loop';
import { createTestContext } from './test-context';
import { type HookKind, type TestBody, TestNode, type TestOutcome } from './test-node';
import { childFailure, type TestReport } from './test-report';

export interface TestFilter {
  /** Tests whose full name matches none are left out; empty = all. */
  readonly namePatterns: readonly RegExp[];
  readonly only: boolean;
}

/** Runs tests one after another, in the order in which they were declared. */
export class TestRunner {
  readonly root: TestNode;
  readonly #loop: EventLoop;
  readonly #report: TestReport;
  readonly #filter: TestFilter;
  readonly #active: TestNode[] = [];
  readonly #queue: TestNode[] = [];
  #draining: Promise<void> | undefined;
  #rootBegan = false;
  /** The suite whose body is declaring tests just now. */
  collecting: TestNode | undefined;

  constructor(loop: EventLoop, report: TestReport, filter: TestFilter) {
    this.#loop = loop;
    this.#report = report;
    this.#filter = filter;
    this.root = new TestNode({ name: '<root>', kind: 'suite', options: {}, body: undefined, parent: undefined, location: '' });
  }

  get used(): boolean {
    return this.root.children.length > 0;
  }

  get busy(): boolean {
    return this.#active.length > 0 || this.#draining !== undefined;
  }

  /** Declares a test or suite; one at the top is run in its turn. */
  add(node: TestNode): Promise<void> {
    const parent = node.parent ?? this.root;
    parent.children.push(node);
    if (node.kind === 'suite') this.#collect(node);
    if (parent !== this.root) return node.finished;
    this.#queue.push(node);
    this.#draining ??= Promise.resolve().then(() => this.#drain());
    return node.finished;
  }

  /** Settles when nothing that was declared is left to run. */
  async settled(): Promise<void> {
    while (this.#draining) await this.#draining;
  }

  /** Runs the hooks that wait for the end of everything. */
  async end(): Promise<void> {
    if (this.#rootBegan) await this.#hooks(this.root, 'after', [this.root]).catch((error: unknown) => this.#loop.onError(error));
  }

  /** Fails what is running: an error outside of its promise, or a promise that nothing will settle any more. */
  interrupt(error: unknown, cancelled: boolean): boolean {
    const running = this.#active.at(-1);
    running?.interrupt?.(error, cancelled);
    return running !== undefined;
  }

  /** Runs a subtest within its running parent. */
  async run(node: TestNode): Promise<void> {
    const start = performance.now();
    let outcome: TestOutcome;
    const { parent } = node;
    if (node.skipped !== false) outcome = { kind: 'skip', reason: typeof node.skipped === 'string' ? node.skipped : undefined };
    else if (!node.body && node.kind === 'test') outcome = node.todo === false ? { kind: 'pass' } : { kind: 'pass' };
    else {
      this.#active.push(node);
      outcome = await this.#guarded(node, () => (node.kind === 'suite' ? this.#suite(node) : this.#test(node, parent ?? this.root)));
      this.#active.splice(this.#active.lastIndexOf(node), 1);
    }
    node.durationMs = performance.now() - start;
    if (outcome.kind === 'pass' && node.skipped !== false) outcome = { kind: 'skip', reason: typeof node.skipped === 'string' ? node.skipped : undefined };
    node.outcome = outcome;
    this.#report.result(node);
    node.finish();
  }

  async #drain(): Promise<void> {
    for (let node = this.#queue.shift(); node; node = this.#queue.shift()) {
      if (!this.#rootBegan) {
        this.#rootBegan = true;
        await this.#hooks(this.root, 'before', [this.root]).catch((error: unknown) => this.#loop.onError(error));
      }
      if (this.#isWanted(node)) await this.run(node);
      else node.finish();
    }
    this.#draining = undefined;
    this.#loop.check();
  }

  #collect(node: TestNode): void {
    if (node.skipped !== false) return;
    const before = this.collecting;
    this.collecting = node;
    try {
      const outcome = node.body?.(createTestContext(node, this));
      node.collected = Promise.resolve(outcome).catch((error: unknown) => {
        node.collectError = error;
      });
    } catch (error) {
      node.collectError = error;
    } finally {
      this.collecting = before;
    }
  }

  async #suite(node: TestNode): Promise<void> {
    await node.collected;
    if (node.collectError !== undefined) throw node.collectError;
    await this.#hooks(node, 'before', [node]);
    for (let i = 0; i < node.children.length; i++) {
      const child = node.children[i] as TestNode;
      if (this.#isWanted(child)) await this.run(child);
      else child.finish();
    }
    await this.#hooks(node, 'after', [node]);
    failByChildren(node);
  }

  async #test(node: TestNode, parent: TestNode): Promise<void> {
    const above = ancestors(parent);
    const context = createTestContext(node, this);
    let problem: { readonly error: unknown } | undefined;
    try {
      await this.#hooks(node, 'beforeEach', above, context);
      await call(node.body as TestBody, context);
      context.checkPlan();
    } catch (error) {
      problem = { error };
    }
    // Subtests that the body did not await still belong to it.
    await Promise.all(node.children.map((child) => child.finished));
    try {
      await this.#hooks(node, 'after', [node], context);
      await this.#hooks(node, 'afterEach', [...above].reverse(), context);
    } catch (error) {
      problem ??= { error };
    }
    context.restore();
    if (problem) throw problem.error;
    failByChildren(node);
  }

  async #hooks(node: TestNode, kind: HookKind, owners: readonly TestNode[], context?: object): Promise<void> {
    for (const owner of owners) for (const hook of owner.hooks[kind]) await call(hook, context ?? createTestContext(node, this));
  }

  #guarded(node: TestNode, act: () => Promise<void>): Promise<TestOutcome> {
    return new Promise((resolve) => {
      const { timeout, signal } = node.options;
      const fail = (error: unknown, cancelled: boolean): void => finish({ kind: 'fail', error, cancelled });
      const timer =
        timeout === undefined || timeout === Number.POSITIVE_INFINITY
          ? undefined
          : this.#loop.timer(() => fail(Object.assign(new Error(`test timed out after ${timeout}ms`), { code: 'ERR_TEST_FAILURE' }), true), timeout, false, []);
      const finish = (outcome: TestOutcome): void => {
        timer?.close();
        node.interrupt = undefined;
        resolve(outcome);
      };
      node.interrupt = fail;
      signal?.addEventListener('abort', () => fail(signal.reason, true));
      act().then(
        () => finish({ kind: 'pass' }),
        (error: unknown) => fail(error, false),
      );
      this.#loop.check();
    });
  }

  #isWanted(node: TestNode): boolean {
    const { namePatterns, only } = this.#filter;
    if (only && !isOnly(node)) return false;
    if (namePatterns.length === 0) return true;
    return (
      matches(node, namePatterns) ||
      ancestors(node.parent ?? this.root).some((above) => above.depth >= 0 && namePatterns.some((pattern) => pattern.test(above.name)))
    );
  }
}

function isOnly(node: TestNode): boolean {
  return node.hasOnly || ancestors(node).some((above) => above.options.only === true);
}

function matches(node: TestNode, patterns: readonly RegExp[]): boolean {
  return patterns.some((pattern) => pattern.test(node.name) || pattern.test(node.fullName)) || node.children.some((child) => matches(child, patterns));
}

/** From the root down to `node`. */
function ancestors(node: TestNode): readonly TestNode[] {
  return node.parent ? [...ancestors(node.parent), node] : [node];
}

function failByChildren(node: TestNode): void {
  const failed = node.children.filter((child) => child.outcome?.kind === 'fail' && child.todo === false).length;
  if (failed > 0) throw childFailure(failed);
}

function call(body: TestBody, context: object): Promise<unknown> {
  if (body.length < 2) return Promise.resolve(body.call(context, context));
  return new Promise((resolve, reject) => {
    const outcome = body.call(context, context, (error) => (error ? reject(error) : resolve(undefined)));
    if (outcome instanceof Promise) outcome.catch(reject);
  });
}
