import '@xterm/xterm/css/xterm.css';
import { FitAddon } from '@xterm/addon-fit';
import { Terminal } from '@xterm/xterm';
import { onThemeChange, readTokens } from '@/components/ui/theme-colors';

const tokens = ['surface-0', 'surface-3', 'ink-1', 'ink-2', 'ink-3', 'accent', 'good', 'ask', 'bad', 'block', 'note'] as const;

function theme() {
  const c = readTokens(tokens);
  const names = { red: c.bad, green: c.good, yellow: c.ask, blue: c.accent, magenta: c.block, cyan: c.note };
  const bright = { brightRed: c.bad, brightGreen: c.good, brightYellow: c.ask, brightBlue: c.accent, brightMagenta: c.block, brightCyan: c.note };
  return {
    background: c['surface-0'],
    foreground: c['ink-1'],
    cursor: c.accent,
    cursorAccent: c['surface-0'],
    selectionBackground: `${c.accent}50`,
    black: c['surface-3'],
    white: c['ink-1'],
    brightBlack: c['ink-3'],
    brightWhite: c['ink-1'],
    ...names,
    ...bright,
  };
}

/** Enter, or Ctrl+C, D or U at the end: nothing stands on the line any more. */
const lineEnds = ['\r', '\n', '\x03', '\x04', '\x15'];

export interface PlacedTerminal {
  readonly terminal: Terminal;
  dispose(): void;
}

/**
 * A terminal in `place`, sized to it and in the page's colours.
 *
 * In     `onSize` is told of every new size; F6, Ctrl+`, Shift+Tab, and Tab while nothing is typed on the line, are left to the page.
 */
export function placeTerminal(
  place: HTMLElement,
  options: { readonly readOnly: boolean; readonly name: string; readonly onSize: (size: { readonly cols: number; readonly rows: number }) => void },
): PlacedTerminal {
  const terminal = new Terminal({
    convertEol: true,
    cursorBlink: !matchMedia('(prefers-reduced-motion: reduce)').matches && !options.readOnly,
    disableStdin: options.readOnly,
    fontFamily: '"JetBrains Mono Variable", ui-monospace, Menlo, Consolas, monospace',
    fontSize: 12.5,
    lineHeight: 1.25,
    scrollback: 5000,
    theme: theme(),
  });
  const fit = new FitAddon();
  terminal.loadAddon(fit);
  // Whoever walks through the page with Tab must come out of the terminal again: it takes the key only where there is something to complete.
  let begun = false;
  terminal.onData((text) => {
    begun = !lineEnds.includes(text.slice(-1));
  });
  const leaves = (event: KeyboardEvent) => event.key === 'Tab' && (event.shiftKey || options.readOnly || !begun);
  terminal.attachCustomKeyEventHandler((event) => event.key !== 'F6' && !(event.code === 'Backquote' && event.ctrlKey) && !leaves(event));
  terminal.open(place);
  terminal.textarea?.setAttribute('aria-label', options.name);
  if (options.readOnly) terminal.write('\x1b[?25l');
  const refit = (): void => {
    // A hidden panel has no size to fit to.
    if (place.clientWidth > 0 && place.clientHeight > 0) fit.fit();
  };
  terminal.onResize(options.onSize);
  const observer = new ResizeObserver(refit);
  observer.observe(place);
  refit();
  const unsubscribe = onThemeChange(() =>
    requestAnimationFrame(() => {
      terminal.options.theme = theme();
    }),
  );
  return {
    terminal,
    dispose() {
      observer.disconnect();
      unsubscribe();
      terminal.dispose();
    },
  };
}
