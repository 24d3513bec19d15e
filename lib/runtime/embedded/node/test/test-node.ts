export interface TestOptions {
  readonly skip?: boolean | string;
  readonly todo?: boolean | string;
  readonly only?: boolean;
  readonly timeout?: number;
  readonly plan?: number;
  readonly signal?: AbortSignal;
  readonly concurrency?: unknown;
}

export type HookKind = 'before' | 'after' | 'beforeEach' | 'afterEach';
export type TestBody = (context: unknown, done?: (error?: unknown) => void) => unknown;

export type TestOutcome =
  | { readonly kind: 'pass' }
  | { readonly kind: 'fail'; readonly error: unknown; readonly cancelled: boolean }
  | { readonly kind: 'skip'; readonly reason: string | undefined };

/** A test or a suite: what was declared, and how it went. */
export class TestNode {
  readonly name: string;
  readonly kind: 'test' | 'suite';
  readonly options: TestOptions;
  readonly body: TestBody | undefined;
  readonly parent: TestNode | undefined;
  /** `file:line`, relative to the working folder. */
  readonly location: string;
  readonly children: TestNode[] = [];
  readonly hooks: Record<HookKind, TestBody[]> = { before: [], after: [], beforeEach: [], afterEach: [] };
  readonly diagnostics: string[] = [];
  readonly finished: Promise<void>;
  /** Settles once the body of a suite has declared its tests. */
  collected: Promise<unknown> = Promise.resolve();
  collectError: unknown;
  outcome: TestOutcome | undefined;
  todo: boolean | string;
  skipped: boolean | string;
  durationMs = 0;
  announced = false;
  finish: () => void = () => undefined;
  /** Fails the test from outside while it runs. */
  interrupt: ((error: unknown, cancelled: boolean) => void) | undefined;

  constructor(declared: Pick<TestNode, 'name' | 'kind' | 'options' | 'body' | 'parent' | 'location'>) {
    this.name = declared.name;
    this.kind = declared.kind;
    this.options = declared.options;
    this.body = declared.body;
    this.parent = declared.parent;
    this.location = declared.location;
    this.todo = declared.options.todo ?? false;
    this.skipped = declared.options.skip ?? false;
    this.finished = new Promise((resolve) => {
      this.finish = resolve;
    });
  }

  get depth(): number {
    return this.parent ? this.parent.depth + 1 : -1;
  }

  get fullName(): string {
    return this.parent?.parent ? `${this.parent.fullName} > ${this.name}` : this.name;
  }

  /** True when this or something below it is marked `only`. */
  get hasOnly(): boolean {
    return this.options.only === true || this.children.some((child) => child.hasOnly);
  }
}
