import { quoteWord } from '@/lib/runtime/embedded/shell-words';
import { isJsonObject, type Json, type JsonObject } from '@/lib/shared/json';

/** What an npm command line comes to here. */
export type NpmPlan =
  | {
      readonly kind: 'scripts';
      readonly folder: string;
      readonly steps: readonly { readonly banner: string; readonly script: string; readonly env: Readonly<Record<string, string>> }[];
    }
  | { readonly kind: 'answer'; readonly stdout: string; readonly stderr: string; readonly code: number };

/** The npm whose behaviour is followed. */
const NPM_VERSION = '10.9.0';
const NO_PACKAGES =
  'Packages cannot be installed in this runtime: it has no registry and no network. `npm test`, `npm start` and `npm run NAME` run the scripts of package.json.';
const ALIASES: Readonly<Record<string, string>> = { t: 'test', tst: 'test', 'run-script': 'run', rum: 'run', urn: 'run' };

/**
 * Reads an npm command line against the nearest package.json above `cwd`.
 *
 * In     `readText` answers undefined for an absent file.
 * Out    the scripts to run in order (pre, itself, post), or what npm would print.
 */
export async function planNpm(
  program: 'npm' | 'npx',
  args: readonly string[],
  cwd: string,
  readText: (path: string) => Promise<string | undefined>,
): Promise<NpmPlan> {
  const options = args.filter((arg, i) => arg.startsWith('-') && !args.slice(0, i).includes('--'));
  const after = args.indexOf('--');
  const words = args.slice(0, after < 0 ? args.length : after).filter((arg) => !arg.startsWith('-'));
  const passed = after < 0 ? [] : args.slice(after + 1);
  if (options.includes('--version') || options.includes('-v')) return print(`${NPM_VERSION}\n`);
  if (program === 'npx') return refuse(`npx: ${NO_PACKAGES}`);
  const asked = words[0];
  const command = asked === undefined ? undefined : (ALIASES[asked] ?? asked);
  if (command === undefined || command === 'help')
    return { kind: 'answer', stdout: `npm ${NPM_VERSION}, as far as this runtime goes.\n\n${NO_PACKAGES}\n`, stderr: '', code: command === 'help' ? 0 : 1 };
  const scripted = command === 'test' || command === 'start' || command === 'stop' || command === 'restart';
  if (command !== 'run' && !scripted) return refuse(`npm ${command}: ${NO_PACKAGES}`);

  const found = await findPackage(cwd, readText);
  if ('problem' in found) return refuse(found.problem);
  const { folder, manifest } = found;
  const scripts = isJsonObject(manifest.scripts) ? manifest.scripts : {};
  const name = scripted ? command : words[1];
  if (name === undefined) return print(listScripts(manifest, scripts));
  const text = Object.hasOwn(scripts, name) ? scripts[name] : undefined;
  if (typeof text !== 'string') {
    if (options.includes('--if-present')) return print('');
    const known = Object.keys(scripts);
    return refuse(`Missing script: "${name}"${known.length === 0 ? '' : `\nnpm error\nnpm error The scripts here are: ${known.join(', ')}`}`);
  }
  const extra = [...words.slice(scripted ? 1 : 2), ...passed];
  const quiet = options.some((option) => option === '--silent' || option === '-s' || option === '--quiet');
  const steps = [`pre${name}`, name, `post${name}`].flatMap((event) => {
    const script = Object.hasOwn(scripts, event) ? scripts[event] : undefined;
    if (typeof script !== 'string') return [];
    const whole = event === name && extra.length > 0 ? `${script} ${extra.map(quoteWord).join(' ')}` : script;
    return [{ banner: quiet ? '' : `\n> ${titleOf(manifest)}${event}\n> ${whole}\n\n`, script: whole, env: scriptEnv(manifest, event, script) }];
  });
  return { kind: 'scripts', folder, steps };
}

async function findPackage(
  cwd: string,
  readText: (path: string) => Promise<string | undefined>,
): Promise<{ readonly folder: string; readonly manifest: JsonObject } | { readonly problem: string }> {
  for (let folder = cwd; ; folder = folder.slice(0, folder.lastIndexOf('/'))) {
    const text = await readText(`${folder}/package.json`);
    if (text !== undefined) {
      try {
        const manifest = JSON.parse(text) as Json;
        if (isJsonObject(manifest)) return { folder: folder || '/', manifest };
        return { problem: `${folder}/package.json is not a JSON object.` };
      } catch (error) {
        return { problem: `${folder}/package.json cannot be read: ${error instanceof Error ? error.message : String(error)}` };
      }
    }
    if (folder === '' || folder === '/') return { problem: `There is no package.json in ${cwd} or above it.` };
  }
}

function titleOf(manifest: JsonObject): string {
  const name = typeof manifest.name === 'string' ? manifest.name : '';
  const version = typeof manifest.version === 'string' ? `@${manifest.version}` : '';
  return name === '' ? '' : `${name}${version} `;
}

function scriptEnv(manifest: JsonObject, event: string, script: string): Record<string, string> {
  return {
    npm_lifecycle_event: event,
    npm_lifecycle_script: script,
    npm_package_name: typeof manifest.name === 'string' ? manifest.name : '',
    npm_package_version: typeof manifest.version === 'string' ? manifest.version : '',
    npm_command: event === 'test' || event === 'start' ? event : 'run-script',
  };
}

function listScripts(manifest: JsonObject, scripts: JsonObject): string {
  const names = Object.keys(scripts);
  if (names.length === 0) return '';
  return `Scripts available in ${titleOf(manifest).trim() || 'this package'} via \`npm run\`:\n${names.map((name) => `  ${name}\n    ${String(scripts[name])}\n`).join('')}`;
}

function print(stdout: string): NpmPlan {
  return { kind: 'answer', stdout, stderr: '', code: 0 };
}

function refuse(message: string): NpmPlan {
  return { kind: 'answer', stdout: '', stderr: `npm error ${message}\n`, code: 1 };
}
