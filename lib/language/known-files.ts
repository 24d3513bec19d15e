/** Files with types, as the compiler reads them. */
export const sourceEnding = /\.(?:[cm]?ts|tsx|[cm]?js|jsx)$/;

/** Settings of tools that allow comments and commas at the end. */
export const lenientJson = /(?:^|\/)(?:[jt]sconfig[^/]*\.json|\.vscode\/[^/]*\.json|[^/]*\.(?:jsonc|code-workspace))$/;

/** True for a file whose problems can be found. */
export function isKnownFile(path: string): boolean {
  return sourceEnding.test(path) || isJsonFile(path);
}

export function isJsonFile(path: string): boolean {
  return path.endsWith('.json') || lenientJson.test(path);
}

/** True for what the compiler needs of installed packages: their declarations and what names them. */
export function isPackageFile(path: string): boolean {
  return /\.d\.[cm]?ts$/.test(path) || path.endsWith('/package.json');
}
