import ts from 'typescript';

const callers: ReadonlySet<string> = new Set(['it', 'test', 'describe']);

function sourceOf(path: string, text: string): ts.SourceFile {
  return ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true, path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS);
}

/** The innermost function of `it(…)`, `test.each(…)(…)`, `describe.skip(…)`. */
function callerOf(node: ts.Expression): string | undefined {
  if (ts.isIdentifier(node)) return node.text;
  if (ts.isPropertyAccessExpression(node) || ts.isCallExpression(node)) return callerOf(node.expression);
  return undefined;
}

/** Titles of the tests and groups of a file, a hole of a template written `…`; each with whether it is a test. */
export function titlesOf(path: string, text: string): readonly { readonly title: string; readonly isTest: boolean }[] {
  const found: { title: string; isTest: boolean }[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const caller = callerOf(node.expression);
      const [first] = node.arguments;
      if (caller !== undefined && callers.has(caller) && first !== undefined && node.arguments.length > 1) {
        const isTest = caller !== 'describe';
        if (ts.isStringLiteralLike(first)) found.push({ title: first.text, isTest });
        else if (ts.isTemplateExpression(first))
          found.push({ title: [first.head.text, ...first.templateSpans.map((span) => span.literal.text)].join('…'), isTest });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(sourceOf(path, text));
  return found;
}

/** Every name that a file exports from a declaration of its own; what it only hands on is not among them. */
export function declaredExports(path: string, text: string): readonly string[] {
  const source = sourceOf(path, text);
  const declared = new Map<string, boolean>();
  const names: string[] = [];
  const bindings = (name: ts.BindingName): readonly string[] =>
    ts.isIdentifier(name) ? [name.text] : name.elements.flatMap((element) => (ts.isBindingElement(element) ? bindings(element.name) : []));
  for (const statement of source.statements) {
    const isExported = ts.canHaveModifiers(statement) && ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
    const own = ts.isVariableStatement(statement)
      ? statement.declarationList.declarations.flatMap(({ name }) => bindings(name))
      : (ts.isFunctionDeclaration(statement) ||
            ts.isClassDeclaration(statement) ||
            ts.isInterfaceDeclaration(statement) ||
            ts.isTypeAliasDeclaration(statement) ||
            ts.isEnumDeclaration(statement)) &&
          statement.name !== undefined
        ? [statement.name.text]
        : [];
    for (const name of own) declared.set(name, isExported || declared.get(name) === true);
  }
  for (const [name, isExported] of declared) if (isExported) names.push(name);
  for (const statement of source.statements)
    if (ts.isExportDeclaration(statement) && statement.moduleSpecifier === undefined && statement.exportClause && ts.isNamedExports(statement.exportClause))
      for (const { name, propertyName } of statement.exportClause.elements) if (declared.has((propertyName ?? name).text)) names.push(name.text);
  return names;
}
