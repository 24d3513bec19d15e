import { Mock } from './mock';
import { type DeclareArgs, readDeclaration } from './test-context';
import type { HookKind, TestBody, TestNode, TestOptions } from './test-node';
import type { TestRunner } from './test-runner';

type Declare = ((...args: DeclareArgs) => Promise<void>) & Record<'skip' | 'todo' | 'only', (...args: DeclareArgs) => Promise<void>>;

/** `node:test`. */
export function createTestModule(runner: TestRunner) {
  const declare = (kind: TestNode['kind']): Declare => {
    const withOptions =
      (extra: TestOptions) =>
      (...args: DeclareArgs): Promise<void> =>
        runner.add(readDeclaration(args, kind, runner.collecting ?? runner.root, extra));
    return Object.assign(withOptions({}), { skip: withOptions({ skip: true }), todo: withOptions({ todo: true }), only: withOptions({ only: true }) });
  };
  const hook = (kind: HookKind) => (body: TestBody) => void (runner.collecting ?? runner.root).hooks[kind].push(body);
  const test = declare('test');
  const describe = declare('suite');
  const members = {
    test,
    it: declare('test'),
    describe,
    suite: describe,
    before: hook('before'),
    after: hook('after'),
    beforeEach: hook('beforeEach'),
    afterEach: hook('afterEach'),
    mock: new Mock(),
  };
  return Object.assign((...args: DeclareArgs) => test(...args), test, members, { default: test });
}

export type TestModule = ReturnType<typeof createTestModule>;
