import { resolveAbsolute } from '@/lib/runtime/embedded/program-path';
import type { SyncFiles } from '@/lib/runtime/embedded/sync-files';
import { decodeUtf8 } from '@/lib/shared/bytes';
import { isJsonObject, type Json, type JsonObject } from '@/lib/shared/json';

export interface ResolveRequest {
  readonly specifier: string;
  /** The absolute path of the module that asks, or of a name in the folder that it is asked from. */
  readonly from: string;
  /** `import` needs whole file names, unless TypeScript asks; `require` tries endings. */
  readonly by: 'import' | 'require';
}

const ENDINGS = ['.js', '.json', '.ts', '.mjs', '.cjs', '.mts', '.cts', '.tsx', '.jsx'] as const;
const TYPED: Readonly<Record<string, readonly string[]>> = { '.js': ['.ts', '.tsx'], '.mjs': ['.mts'], '.cjs': ['.cts'], '.jsx': ['.tsx'] };

/** Finds the file of a specifier as Node does: relative, absolute, `#imports`, node_modules with `exports` and `main`. */
export class ModuleResolver {
  readonly #files: SyncFiles;
  readonly #manifests = new Map<string, JsonObject | undefined>();

  constructor(files: SyncFiles) {
    this.#files = files;
  }

  /** Fails with Node's `ERR_MODULE_NOT_FOUND`, `MODULE_NOT_FOUND` or `ERR_PACKAGE_PATH_NOT_EXPORTED`. */
  resolve(request: ResolveRequest): string {
    const { specifier, from } = request;
    const folder = parentOf(from);
    if (specifier.startsWith('file:')) return this.#file(decodeURIComponent(new URL(specifier).pathname), request) ?? notFound(request);
    if (/^\.{0,2}\//.test(specifier) || specifier === '.' || specifier === '..')
      return this.#file(resolveAbsolute(folder, specifier), request) ?? notFound(request);
    if (specifier.startsWith('#')) return this.#imports(request) ?? notFound(request);
    return this.#package(request) ?? notFound(request);
  }

  /** What the nearest package.json says about plain `.js` and `.ts` files. */
  packageType(file: string): 'module' | 'commonjs' | undefined {
    for (let folder = parentOf(file); ; folder = parentOf(folder)) {
      const manifest = this.#manifest(folder);
      if (manifest) return manifest.type === 'module' || manifest.type === 'commonjs' ? manifest.type : undefined;
      if (folder === '/') return undefined;
    }
  }

  #file(path: string, request: ResolveRequest): string | undefined {
    if (this.#isFile(path)) return path;
    const typedAsks = /\.[cm]?tsx?$/.test(request.from);
    const ending = /\.[cm]?jsx?$/.exec(path)?.[0];
    for (const other of (ending && TYPED[ending]) ?? []) {
      const typed = path.slice(0, -(ending as string).length) + other;
      if (this.#isFile(typed)) return typed;
    }
    if (request.by === 'import' && !typedAsks) return undefined;
    for (const added of ENDINGS) if (this.#isFile(path + added)) return path + added;
    if (this.#files.stat(path)?.kind !== 'directory') return undefined;
    const main = this.#manifest(path)?.main;
    if (typeof main === 'string') {
      const found = this.#file(resolveAbsolute(path, main), { ...request, by: 'require' });
      if (found) return found;
    }
    for (const added of ENDINGS) if (this.#isFile(`${path}/index${added}`)) return `${path}/index${added}`;
    return undefined;
  }

  #package(request: ResolveRequest): string | undefined {
    const parts = request.specifier.split('/');
    const name = request.specifier.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? '');
    const inside = request.specifier.slice(name.length + 1);
    for (let folder = parentOf(request.from); ; folder = parentOf(folder)) {
      const own = this.#manifest(folder);
      const root = own?.name === name && own.exports !== undefined ? folder : `${folder === '/' ? '' : folder}/node_modules/${name}`;
      if (this.#files.stat(root)?.kind === 'directory') {
        const manifest = this.#manifest(root);
        if (manifest?.exports !== undefined && manifest.exports !== null) {
          const target = this.#target(manifest.exports as Json, inside === '' ? '.' : `./${inside}`, request.by);
          if (target === undefined)
            throw withCode(
              'ERR_PACKAGE_PATH_NOT_EXPORTED',
              inside === ''
                ? `No "exports" main defined in ${root}/package.json`
                : `Package subpath './${inside}' is not defined by "exports" in ${root}/package.json`,
            );
          return this.#file(resolveAbsolute(root, target), { ...request, by: 'require' });
        }
        return this.#file(inside === '' ? root : `${root}/${inside}`, { ...request, by: 'require' });
      }
      if (folder === '/') return undefined;
    }
  }

  #imports(request: ResolveRequest): string | undefined {
    for (let folder = parentOf(request.from); ; folder = parentOf(folder)) {
      const manifest = this.#manifest(folder);
      if (manifest) {
        const target = isJsonObject(manifest.imports) ? this.#target(manifest.imports, request.specifier, request.by) : undefined;
        if (target === undefined)
          throw withCode(
            'ERR_PACKAGE_IMPORT_NOT_DEFINED',
            `Package import specifier "${request.specifier}" is not defined in package ${folder}/package.json imported from ${request.from}`,
          );
        return target.startsWith('.')
          ? this.#file(resolveAbsolute(folder, target), { ...request, by: 'require' })
          : this.#package({ ...request, specifier: target });
      }
      if (folder === '/') return undefined;
    }
  }

  /** The target of a subpath in an `exports` or `imports` value. */
  #target(value: Json, subpath: string, by: 'import' | 'require'): string | undefined {
    if (!isJsonObject(value) || !Object.keys(value).some((key) => key.startsWith('.') || key.startsWith('#')))
      return subpath === '.' ? this.#condition(value, by, '') : undefined;
    if (Object.hasOwn(value, subpath)) return this.#condition(value[subpath] as Json, by, '');
    const patterns = Object.keys(value)
      .filter((key) => key.includes('*'))
      .sort((a, b) => b.indexOf('*') - a.indexOf('*'));
    for (const pattern of patterns) {
      const [before = '', after = ''] = pattern.split('*');
      if (subpath.startsWith(before) && subpath.endsWith(after) && subpath.length >= pattern.length - 1) {
        return this.#condition(value[pattern] as Json, by, subpath.slice(before.length, subpath.length - after.length));
      }
    }
    return undefined;
  }

  #condition(value: Json, by: 'import' | 'require', star: string): string | undefined {
    if (typeof value === 'string') return value.replaceAll('*', star);
    if (Array.isArray(value)) {
      for (const one of value as readonly Json[]) {
        const target = this.#condition(one, by, star);
        if (target !== undefined) return target;
      }
      return undefined;
    }
    if (!isJsonObject(value)) return undefined;
    for (const [condition, target] of Object.entries(value)) {
      if (condition !== 'default' && condition !== 'node' && condition !== by) continue;
      const found = this.#condition(target, by, star);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #manifest(folder: string): JsonObject | undefined {
    if (this.#manifests.has(folder)) return this.#manifests.get(folder);
    const path = `${folder === '/' ? '' : folder}/package.json`;
    let manifest: JsonObject | undefined;
    if (this.#isFile(path)) {
      try {
        const value = JSON.parse(decodeUtf8(this.#files.readFile(path))) as Json;
        manifest = isJsonObject(value) ? value : undefined;
      } catch (error) {
        throw withCode('ERR_INVALID_PACKAGE_CONFIG', `Invalid package config ${path}. ${error instanceof Error ? error.message : ''}`);
      }
    }
    this.#manifests.set(folder, manifest);
    return manifest;
  }

  #isFile(path: string): boolean {
    return this.#files.stat(path)?.kind === 'file';
  }
}

function notFound({ specifier, from, by }: ResolveRequest): never {
  // A first file is asked for from its folder: nobody required it.
  const requireStack = from.endsWith('/.') ? [] : [from];
  if (by === 'require')
    throw Object.assign(new Error(`Cannot find module '${specifier}'${requireStack.map((file) => `\nRequire stack:\n- ${file}`).join('')}`), {
      code: 'MODULE_NOT_FOUND',
      requireStack,
    });
  const isPath = /^\.{0,2}\//.test(specifier);
  throw withCode(
    'ERR_MODULE_NOT_FOUND',
    `Cannot find ${isPath ? 'module' : 'package'} '${isPath ? resolveAbsolute(parentOf(from), specifier) : specifier}' imported from ${from}`,
  );
}

function withCode(code: string, message: string): Error {
  const error = Object.assign(new Error(message), { code });
  error.stack = error.stack?.replace(/^Error/, `Error [${code}]`);
  return error;
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/';
}
