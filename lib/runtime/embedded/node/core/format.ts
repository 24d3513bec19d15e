import { type InspectOptions, inspect } from './inspect';

/** Text as `console.log` and `util.format` make it: `%s %d %i %f %j %o %O %c %%`, then the other values. */
export function format(...args: readonly unknown[]): string {
  return formatWithOptions({}, ...args);
}

export function formatWithOptions(options: InspectOptions, ...args: readonly unknown[]): string {
  const [first, ...rest] = args;
  if (typeof first !== 'string') return args.map((arg) => shown(arg, options)).join(' ');
  let used = 0;
  const text =
    rest.length === 0
      ? first
      : first.replace(/%[sdifjoOc%]/g, (mark) => {
          if (mark === '%%') return '%';
          if (used >= rest.length) return mark;
          const value = rest[used++];
          switch (mark) {
            case '%s':
              return typeof value === 'string'
                ? value
                : typeof value === 'object' && value !== null && !(value instanceof Error)
                  ? inspect(value, { ...options, depth: 0 })
                  : typeof value === 'bigint'
                    ? `${value}n`
                    : Object.is(value, -0)
                      ? '-0'
                      : String(value);
            case '%d':
              return typeof value === 'bigint' ? `${value}n` : typeof value === 'symbol' ? 'NaN' : String(Number(value));
            case '%i':
              return typeof value === 'bigint' ? `${value}n` : String(Number.parseInt(String(value), 10));
            case '%f':
              return String(Number.parseFloat(String(value)));
            case '%j':
              return JSON.stringify(value) ?? 'undefined';
            case '%o':
              return inspect(value, { ...options, showHidden: true, depth: 4 });
            case '%O':
              return inspect(value, options);
            default:
              return '';
          }
        });
  return [text, ...rest.slice(used).map((arg) => shown(arg, options))].join(' ');
}

function shown(value: unknown, options: InspectOptions): string {
  return typeof value === 'string' ? value : inspect(value, options);
}
