import { createAssert } from '@/lib/runtime/embedded/node/core/assert';
import { callLocation } from './call-location';
import { Mock } from './mock';
import { type HookKind, type TestBody, TestNode, type TestOptions } from './test-node';
import type { TestRunner } from './test-runner';

export type DeclareArgs = readonly [name?: string | TestOptions | TestBody, options?: TestOptions | TestBody, body?: TestBody];

/** Name, options and body out of the arguments of `test` or `describe`, each of which may be missing. */
export function readDeclaration(args: DeclareArgs, kind: TestNode['kind'], parent: TestNode | undefined, extra: TestOptions = {}): TestNode {
  const body = args.find((arg): arg is TestBody => typeof arg === 'function');
  const options = args.find((arg): arg is TestOptions => typeof arg === 'object' && arg !== null) ?? {};
  const name = typeof args[0] === 'string' ? args[0] : (body?.name ?? '');
  return new TestNode({ name: name === '' ? '<anonymous>' : name, kind, options: { ...options, ...extra }, body, parent, location: callLocation() });
}

/** The `t` of a test. */
export function createTestContext(node: TestNode, runner: TestRunner) {
  const mock = new Mock();
  let planned = node.options.plan;
  let asserted = 0;
  let chain: Promise<void> = Promise.resolve();
  const strict = createAssert(false);
  const counted = Object.fromEntries(
    Object.entries(strict).map(([name, act]) => [
      name,
      name === 'AssertionError'
        ? act
        : (...args: never[]) => {
            asserted++;
            return (act as (...given: never[]) => unknown)(...args);
          },
    ]),
  );
  const hook = (kind: HookKind) => (body: TestBody) => void node.hooks[kind].push(body);
  const abort = new AbortController();
  const context = {
    name: node.name,
    fullName: node.fullName,
    signal: abort.signal,
    mock,
    assert: counted,
    before: hook('before'),
    after: hook('after'),
    beforeEach: hook('beforeEach'),
    afterEach: hook('afterEach'),
    test(...args: DeclareArgs): Promise<void> {
      const child = readDeclaration(args, 'test', node);
      node.children.push(child);
      asserted++;
      chain = chain.then(() => runner.run(child));
      return child.finished;
    },
    skip(message?: string): void {
      node.skipped = message ?? true;
    },
    todo(message?: string): void {
      node.todo = message ?? true;
    },
    diagnostic(message: string): void {
      node.diagnostics.push(message);
    },
    plan(count: number): void {
      planned = count;
    },
    runOnly(): void {},
  };
  return Object.assign(context, {
    checkPlan(): void {
      if (planned !== undefined && planned !== asserted)
        throw Object.assign(new Error(`plan expected ${planned} assertions but received ${asserted}`), { code: 'ERR_TEST_FAILURE' });
    },
    restore(): void {
      mock.restoreAll();
      abort.abort();
    },
  });
}
