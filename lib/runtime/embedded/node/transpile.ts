import { type Transform, transform } from 'sucrase';

export interface Compiled {
  /** The source of a function expression, on the same lines as the module. */
  readonly code: string;
  readonly esm: boolean;
  /** Specifiers that an ES module imports before it runs. */
  readonly imports: readonly string[];
}

/** A module that cannot be parsed. `line` and `column` are 1-based. */
export class ModuleSyntaxError extends SyntaxError {
  readonly file: string;
  readonly line: number;
  readonly column: number;

  constructor(message: string, file: string, line: number, column: number) {
    super(message);
    this.name = 'SyntaxError';
    this.file = file;
    this.line = line;
    this.column = column;
    this.stack = `${file}:${line}\nSyntaxError: ${message}`;
  }
}

/** The names that a compiled CommonJS module is called with, in order. */
export const COMMONJS_PARAMETERS = ['exports', 'require', 'module', '__filename', '__dirname', 'importDynamic_'] as const;
/** The names that a compiled ES module is called with, in order. */
export const ESM_PARAMETERS = ['exports', 'require', 'importMeta_', 'importDynamic_'] as const;

const MODULE_SYNTAX = /^[ \t]*(?:import(?:[\s{*'"]|$)|export[\s{*])|^[ \t]*(?:\/\*.*\*\/\s*)?import\.meta\b/m;

/**
 * Makes a module's source callable, keeping its lines.
 *
 * In     `kind` what its name and package.json say; a plain CommonJS name with `import` or `export` in it is read as an ES module.
 * Fails  ModuleSyntaxError.
 */
export function compileModule(source: string, file: string, kind: 'esm' | 'commonjs' | 'unknown'): Compiled {
  const typed = /\.[cm]?tsx?$/.test(file);
  const text = source.startsWith('#!') ? `//${source}` : source;
  const esm = kind === 'esm' || (kind !== 'commonjs' && MODULE_SYNTAX.test(text)) || (typed && MODULE_SYNTAX.test(text));
  const transforms: Transform[] = [
    ...(typed ? (['typescript'] as const) : []),
    ...(/\.[jt]sx$/.test(file) ? (['jsx'] as const) : []),
    ...(esm ? (['imports'] as const) : []),
  ];
  const plain = transforms.length === 0 ? text : sucrase(text, file, transforms);
  const code = plain.replace(/(?<![\w$.#])import(?=\s*\()/g, 'importDynamic_').replace(/(?<![\w$.#])import\.meta\b/g, 'importMeta_');
  if (!esm) return { code: `(function (${COMMONJS_PARAMETERS.join(', ')}) {${code}\n})`, esm, imports: [] };
  const imports = [...code.matchAll(/(?:^|[;\s])(?:var \w+ = )?require\((['"])((?:(?!\1).)+)\1\);/g)].map((match) => match[2] as string);
  const waits = /\bawait\b/.test(code) ? 'async ' : '';
  return { code: `(${waits}function (${ESM_PARAMETERS.join(', ')}) {${code}\n})`, esm, imports };
}

/** Where a script cannot be parsed; undefined when it can. The engine's own errors name no line. */
export function findSyntaxError(source: string, file: string): ModuleSyntaxError | undefined {
  try {
    sucrase(source, file, /\.[cm]?tsx?$/.test(file) ? ['typescript'] : []);
    return undefined;
  } catch (error) {
    return error instanceof ModuleSyntaxError ? error : undefined;
  }
}

function sucrase(source: string, file: string, transforms: Transform[]): string {
  try {
    return transform(source, {
      transforms,
      disableESTransforms: true,
      preserveDynamicImport: true,
      production: true,
      filePath: file,
      injectCreateRequireForImportRequire: false,
    }).code;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const found = /^(?:Error transforming .*?: )?([\s\S]*?) \((\d+):(\d+)\)$/.exec(message.replace(`Error transforming ${file}: `, ''));
    if (!found) throw error;
    throw new ModuleSyntaxError(found[1] as string, file, Number(found[2]), Number(found[3]));
  }
}
