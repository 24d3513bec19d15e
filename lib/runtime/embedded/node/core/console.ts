import { formatWithOptions } from './format';
import { type InspectOptions, inspect } from './inspect';

/** A console over two writers, as in Node. */
export function createConsole(out: (text: string) => void, err: (text: string) => void) {
  let indent = '';
  const counts = new Map<string, number>();
  const clocks = new Map<string, number>();
  const put = (write: (text: string) => void, text: string): void => write(`${indent === '' ? text : text.replace(/^/gm, indent)}\n`);
  const log = (...args: unknown[]): void => put(out, formatWithOptions({}, ...args));
  const error = (...args: unknown[]): void => put(err, formatWithOptions({}, ...args));
  const elapsed = (label: string): string => {
    const ms = performance.now() - (clocks.get(label) ?? performance.now());
    return ms >= 1000 ? `${(ms / 1000).toFixed(3)}s` : `${Number(ms.toFixed(3))}ms`;
  };
  return {
    log,
    info: log,
    debug: log,
    error,
    warn: error,
    trace: (...args: unknown[]) => error(...(args.length === 0 ? ['Trace'] : [`Trace: ${formatWithOptions({}, ...args)}`])),
    dir: (value: unknown, options?: InspectOptions) => put(out, inspect(value, options)),
    dirxml: log,
    assert: (value: unknown, ...args: unknown[]) => {
      if (!value) error(...(typeof args[0] === 'string' ? [`Assertion failed: ${args[0]}`, ...args.slice(1)] : ['Assertion failed', ...args]));
    },
    count: (label = 'default') => {
      counts.set(label, (counts.get(label) ?? 0) + 1);
      log(`${label}: ${counts.get(label)}`);
    },
    countReset: (label = 'default') => void counts.delete(label),
    time: (label = 'default') => void clocks.set(label, performance.now()),
    timeLog: (label = 'default', ...args: unknown[]) => log(`${label}: ${elapsed(label)}`, ...args),
    timeEnd: (label = 'default') => {
      log(`${label}: ${elapsed(label)}`);
      clocks.delete(label);
    },
    group: (...args: unknown[]) => {
      if (args.length > 0) log(...args);
      indent += '  ';
    },
    groupCollapsed: (...args: unknown[]) => {
      if (args.length > 0) log(...args);
      indent += '  ';
    },
    groupEnd: () => {
      indent = indent.slice(2);
    },
    table: (rows: unknown, columns?: readonly string[]) => {
      if (typeof rows !== 'object' || rows === null) return log(rows);
      put(out, table(rows, columns));
    },
    clear: () => undefined,
    timeStamp: () => undefined,
    profile: () => undefined,
    profileEnd: () => undefined,
  };
}

function table(rows: object, wanted?: readonly string[]): string {
  const entries: [string, unknown][] = rows instanceof Map ? [...rows].map(([key, value]) => [inspect(key), value]) : Object.entries(rows);
  const columns = [...new Set(wanted ?? entries.flatMap(([, row]) => (typeof row === 'object' && row !== null ? Object.keys(row) : [])))];
  const hasValues = entries.some(([, row]) => typeof row !== 'object' || row === null);
  const head = ['(index)', ...columns, ...(hasValues ? ['Values'] : [])];
  const body = entries.map(([key, row]) => {
    const isRow = typeof row === 'object' && row !== null;
    return [
      key,
      ...columns.map((column) => (isRow && Object.hasOwn(row, column) ? inspect((row as Record<string, unknown>)[column], { depth: 0 }) : '')),
      ...(hasValues ? [isRow ? '' : inspect(row)] : []),
    ];
  });
  const widths = head.map((title, i) => Math.max(title.length, ...body.map((cells) => (cells[i] ?? '').length)) + 2);
  const centre = (text: string, width: number): string => text.padStart(Math.floor((width - text.length) / 2) + text.length).padEnd(width);
  const line = (cells: readonly string[]): string => `│${cells.map((cell, i) => centre(cell, widths[i] ?? 0)).join('│')}│`;
  const rule = (left: string, middle: string, right: string): string => left + widths.map((width) => '─'.repeat(width)).join(middle) + right;
  return [rule('┌', '┬', '┐'), line(head), rule('├', '┼', '┤'), ...body.map(line), rule('└', '┴', '┘')].join('\n');
}
