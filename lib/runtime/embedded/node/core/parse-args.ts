interface OptionConfig {
  readonly type: 'string' | 'boolean';
  readonly short?: string;
  readonly multiple?: boolean;
  readonly default?: unknown;
}
interface ParseConfig {
  readonly args?: readonly string[];
  readonly options?: Readonly<Record<string, OptionConfig>>;
  readonly strict?: boolean;
  readonly allowPositionals?: boolean;
  readonly allowNegative?: boolean;
}

/** `util.parseArgs`. */
export function parseArgs(config: ParseConfig = {}): { values: Record<string, unknown>; positionals: string[] } {
  const strict = config.strict ?? true;
  const options = config.options ?? {};
  const args = [...(config.args ?? (globalThis as unknown as { process: { argv: string[] } }).process.argv.slice(2))];
  const values: Record<string, unknown> = Object.create(null);
  const positionals: string[] = [];
  const put = (name: string, given: string | undefined, negated: boolean): void => {
    const option = Object.hasOwn(options, name) ? options[name] : undefined;
    if (!option && strict) throw failure('ERR_PARSE_ARGS_UNKNOWN_OPTION', `Unknown option '--${name}'`);
    let value: unknown = given ?? !negated;
    if (option?.type === 'string') {
      value = given ?? (args[0]?.startsWith('-') && strict ? undefined : args.shift());
      if (value === undefined) throw failure('ERR_PARSE_ARGS_INVALID_OPTION_VALUE', `Option '--${name} <value>' argument missing`);
    } else if (option && given !== undefined && strict) throw failure('ERR_PARSE_ARGS_INVALID_OPTION_VALUE', `Option '--${name}' does not take an argument`);
    if (option?.multiple) values[name] = [...((values[name] as unknown[] | undefined) ?? []), value];
    else values[name] = value;
  };
  for (let arg = args.shift(); arg !== undefined; arg = args.shift()) {
    if (arg === '--') {
      positionals.push(...args.splice(0));
    } else if (arg.startsWith('--')) {
      const equals = arg.indexOf('=');
      const name = arg.slice(2, equals < 0 ? undefined : equals);
      const negated = config.allowNegative === true && name.startsWith('no-');
      put(negated ? name.slice(3) : name, equals < 0 ? undefined : arg.slice(equals + 1), negated);
    } else if (arg.startsWith('-') && arg.length > 1) {
      for (let i = 1; i < arg.length; i++) {
        const letter = arg[i] as string;
        const name = Object.keys(options).find((key) => options[key]?.short === letter) ?? letter;
        const isText = options[name]?.type === 'string';
        put(name, isText && i + 1 < arg.length ? arg.slice(i + 1) : undefined, false);
        if (isText) break;
      }
    } else {
      if (strict && !config.allowPositionals)
        throw failure('ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL', `Unexpected argument '${arg}'. This command does not take positional arguments`);
      positionals.push(arg);
    }
  }
  for (const [name, option] of Object.entries(options)) if (option.default !== undefined && !(name in values)) values[name] = option.default;
  return { values, positionals };
}

function failure(code: string, message: string): TypeError {
  return Object.assign(new TypeError(message), { code });
}
