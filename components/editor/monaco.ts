import 'monaco-editor/features/register.all.js';
import 'monaco-editor/languages/definitions/css/register.js';
import 'monaco-editor/languages/definitions/html/register.js';
import 'monaco-editor/languages/definitions/javascript/register.js';
import 'monaco-editor/languages/definitions/markdown/register.js';
import 'monaco-editor/languages/definitions/shell/register.js';
import 'monaco-editor/languages/definitions/typescript/register.js';
import 'monaco-editor/languages/definitions/yaml/register.js';
import * as monaco from 'monaco-editor/editor/editor.api.js';
import { jsonDefaults } from 'monaco-editor/languages/features/json/register.js';
import { javascriptDefaults, typescriptDefaults } from 'monaco-editor/languages/features/typescript/register.js';
import { isDark, onThemeChange, readTokens } from '@/components/ui/theme-colors';
import { policyPath, policySchema } from '@/lib/client/policy-view';

self.MonacoEnvironment = {
  getWorker(_id: string, label: string): Worker {
    if (label === 'typescript' || label === 'javascript')
      return new Worker(new URL('@/workers/editor-typescript.worker.ts', import.meta.url), { type: 'module', name: 'editor-typescript' });
    if (label === 'json') return new Worker(new URL('@/workers/editor-json.worker.ts', import.meta.url), { type: 'module', name: 'editor-json' });
    return new Worker(new URL('@/workers/editor.worker.ts', import.meta.url), { type: 'module', name: 'editor' });
  },
};

// The editor's worker sees open files only: it would call every import of another file an error.
for (const defaults of [typescriptDefaults, javascriptDefaults]) defaults.setDiagnosticsOptions({ noSemanticValidation: true, noSyntaxValidation: false });

// The policy file is checked and completed as it is typed; nothing is fetched for that.
jsonDefaults.setDiagnosticsOptions({
  validate: true,
  enableSchemaRequest: false,
  schemas: [{ uri: 'gatehouse://policy', fileMatch: [policyPath], schema: policySchema() }],
});

const tokens = [
  'surface-0',
  'surface-1',
  'surface-2',
  'surface-3',
  'ink-1',
  'ink-2',
  'ink-3',
  'line',
  'line-strong',
  'accent',
  'good',
  'ask',
  'bad',
  'block',
  'note',
] as const;

function applyTheme(): void {
  const c = readTokens(tokens);
  const bare = (colour: string): string => colour.slice(1);
  monaco.editor.defineTheme('gatehouse', {
    base: isDark() ? 'vs-dark' : 'vs',
    inherit: true,
    rules: [
      { token: '', foreground: bare(c['ink-1']) },
      { token: 'comment', foreground: bare(c['ink-3']), fontStyle: 'italic' },
      { token: 'keyword', foreground: bare(c.block) },
      { token: 'string', foreground: bare(c.good) },
      { token: 'number', foreground: bare(c.ask) },
      { token: 'regexp', foreground: bare(c.bad) },
      { token: 'type', foreground: bare(c.note) },
      { token: 'tag', foreground: bare(c.note) },
      { token: 'attribute.name', foreground: bare(c.ask) },
      { token: 'delimiter', foreground: bare(c['ink-2']) },
    ],
    colors: {
      'editor.background': c['surface-0'],
      'editor.foreground': c['ink-1'],
      'editorLineNumber.foreground': c['ink-3'],
      'editorLineNumber.activeForeground': c['ink-1'],
      'editorCursor.foreground': c.accent,
      'editor.selectionBackground': `${c.accent}40`,
      'editor.lineHighlightBackground': c['surface-1'],
      'editor.lineHighlightBorder': '#00000000',
      'editorWidget.background': c['surface-1'],
      'editorWidget.border': c['line-strong'],
      'editorIndentGuide.background1': c.line,
      'diffEditor.insertedLineBackground': `${c.good}16`,
      'diffEditor.insertedTextBackground': `${c.good}22`,
      'diffEditor.removedLineBackground': `${c.bad}16`,
      'diffEditor.removedTextBackground': `${c.bad}22`,
      'diffEditor.border': c.line,
      focusBorder: c.accent,
    },
  });
  monaco.editor.setTheme('gatehouse');
}

applyTheme();
onThemeChange(() => requestAnimationFrame(applyTheme));

/** Options that every editor of the page shares. */
export const sharedOptions = {
  automaticLayout: true,
  fontFamily: '"JetBrains Mono Variable", ui-monospace, Menlo, Consolas, monospace',
  fontLigatures: false,
  fontSize: 12.5,
  lineHeight: 19,
  fixedOverflowWidgets: true,
  minimap: { enabled: false },
  overviewRulerBorder: false,
  padding: { top: 8, bottom: 8 },
  renderLineHighlight: 'line',
  scrollBeyondLastLine: false,
  scrollbar: { verticalScrollbarSize: 10, horizontalScrollbarSize: 10 },
  stickyScroll: { enabled: false },
} as const satisfies monaco.editor.IEditorOptions & monaco.editor.IGlobalEditorOptions;

const byEnding: Readonly<Record<string, string>> = {
  ts: 'typescript',
  tsx: 'typescript',
  mts: 'typescript',
  cts: 'typescript',
  js: 'javascript',
  jsx: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  json: 'json',
  css: 'css',
  html: 'html',
  htm: 'html',
  md: 'markdown',
  sh: 'shell',
  yml: 'yaml',
  yaml: 'yaml',
};

/** The language of a path by its ending; plain text where it is not known. */
export function languageOf(path: string): string {
  return byEnding[path.slice(path.lastIndexOf('.') + 1).toLowerCase()] ?? 'plaintext';
}

export { monaco };
