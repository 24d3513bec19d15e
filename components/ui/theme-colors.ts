/** Told when light, dark or contrast changed, by the system or by the person. Returns the unsubscribe. */
export function onThemeChange(listener: () => void): () => void {
  const queries = [matchMedia('(prefers-color-scheme: dark)'), matchMedia('(prefers-contrast: more)')];
  for (const query of queries) query.addEventListener('change', listener);
  window.addEventListener('gatehouse-theme', listener);
  return () => {
    for (const query of queries) query.removeEventListener('change', listener);
    window.removeEventListener('gatehouse-theme', listener);
  };
}

/** Whether the dark tokens are in force. */
export function isDark(): boolean {
  const { theme } = document.documentElement.dataset;
  return theme === undefined ? matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark';
}

/** The design's tokens as `#rrggbb`, for widgets that do not read CSS. */
export function readTokens<Name extends string>(names: readonly Name[]): Readonly<Record<Name, string>> {
  const probe = document.createElement('span');
  probe.style.display = 'none';
  document.body.append(probe);
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 1;
  const pen = canvas.getContext('2d', { willReadFrequently: true });
  const toHex = (name: Name): string => {
    probe.style.color = `var(--${name})`;
    if (!pen) return '#808080';
    pen.fillStyle = getComputedStyle(probe).color;
    pen.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0] = pen.getImageData(0, 0, 1, 1).data;
    return `#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`;
  };
  const found = Object.fromEntries(names.map((name) => [name, toHex(name)])) as Record<Name, string>;
  probe.remove();
  return found;
}
