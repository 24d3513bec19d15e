import path from 'node:path';
import { parseArgs } from 'node:util';
import type { ProviderId } from '@/lib/contracts/provider';
import type { ConnectionInput } from '@/lib/engine/ports';
import { findTask, practiceTasks } from '@/lib/practice/tasks';
import { providers } from '@/lib/providers/registry.gen';

export const usage = `usage: npm run turn -- --task NAME [--wire anthropic|openai-chat] [options]
       npm run turn -- --prompt TEXT --dir PATH --provider NAME --model NAME [--write] [options]

  --task NAME        a practice task in its own workspace: ${practiceTasks.map((task) => task.taskId).join(', ')}
  --wire NAME        the wire that the practice model speaks: anthropic (default) or openai-chat
  --prompt TEXT      what to ask for, in a copy of the folder --dir
  --dir PATH         the folder that is copied; .git, node_modules, links and files over 10 MiB stay out of the copy
  --write            write the changes back into --dir, after the diff; without it nothing is written
  --accept-policy    accept the gatehouse.policy.json of --dir; without it that decides nothing, and the starter policy does
  --provider NAME    ${providers.map((provider) => provider.id).join(' or ')}; with --task it takes the place of the practice model
  --base-url URL     where the model is, by default the provider's own address
  --model NAME       the model, as the provider spells it
  --approve HOW      all (say yes to every prompt), none (say no), or ask (at the terminal, the default)
  --summarise        texts from the web over 4,096 tokens go to the model in short (head, lines of note, tail); the whole stays retrievable
  --summarise-model NAME   the same, put in short by this cheaper model of the provider
  --json             events on stdout, one a line, and nothing else there; the diff and everything said go to stderr

The key is taken from GATEHOUSE_API_KEY; a model on this machine may need none.
exit status: 0 the model yielded (and the task's check passes, and everything could be written)
             1 the engine failed, the turn did not yield (nothing is written then), or the command line was wrong
             2 it yielded, but the task's check fails, or not everything could be written back`;

export interface TurnOptions {
  readonly work: { readonly taskId: string } | { readonly prompt: string; readonly dir: string; readonly write: boolean; readonly acceptPolicy: boolean };
  /** Absent: the practice model. */
  readonly connection?: ConnectionInput;
  readonly approve: 'all' | 'none' | 'ask';
  readonly json: boolean;
  /** Long texts from the web in short; absent = off. */
  readonly summarise?: { readonly model?: string };
  readonly wire: ProviderId;
}

/**
 * The command line as options.
 *
 * In     `environment`: the key, and `INIT_CWD`, the folder that a relative `--dir` starts from.
 * Fails  with a sentence for the person who typed it.
 */
export function readOptions(args: readonly string[], environment: Readonly<Record<string, string | undefined>>): TurnOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      task: { type: 'string' },
      prompt: { type: 'string' },
      dir: { type: 'string' },
      write: { type: 'boolean', default: false },
      'accept-policy': { type: 'boolean', default: false },
      provider: { type: 'string' },
      'base-url': { type: 'string' },
      model: { type: 'string' },
      approve: { type: 'string', default: 'ask' },
      json: { type: 'boolean', default: false },
      summarise: { type: 'boolean', default: false },
      'summarise-model': { type: 'string' },
      wire: { type: 'string', default: 'anthropic' },
    },
  });
  const { approve, wire } = values;
  if (approve !== 'all' && approve !== 'none' && approve !== 'ask') throw new Error(`--approve takes all, none or ask, not ${approve}`);
  if (wire !== 'anthropic' && wire !== 'openai-chat') throw new Error(`--wire takes anthropic or openai-chat, not ${wire}`);
  const connection = connectionOf(values.provider, values['base-url'], values.model, environment.GATEHOUSE_API_KEY ?? '');
  const common = {
    approve,
    json: values.json,
    ...summariseOf(values.summarise, values['summarise-model'], connection),
    wire,
    ...(connection === undefined ? {} : { connection }),
  } as const;
  if (values.task !== undefined) {
    if (values.prompt !== undefined || values.dir !== undefined || values.write || values['accept-policy'])
      throw new Error('--task brings its own words and workspace: leave --prompt, --dir, --write and --accept-policy out, or leave --task out');
    if (findTask(values.task) === undefined) throw new Error(`there is no task named ${values.task}`);
    return { work: { taskId: values.task }, ...common };
  }
  if (values.prompt === undefined) throw new Error('neither a task nor a prompt was given');
  if (values.prompt.trim() === '') throw new Error('--prompt is empty');
  if (values.dir === undefined) throw new Error('--prompt needs --dir, the folder to work on a copy of');
  if (connection === undefined) throw new Error('--prompt needs a model: --provider and --model (the practice model plays tasks only)');
  const dir = path.resolve(environment.INIT_CWD ?? process.cwd(), values.dir);
  return { work: { prompt: values.prompt, dir, write: values.write, acceptPolicy: values['accept-policy'] }, ...common };
}

function summariseOf(isOn: boolean, model: string | undefined, connection: ConnectionInput | undefined): Pick<TurnOptions, 'summarise'> {
  if (model !== undefined && connection === undefined) throw new Error('--summarise-model needs --provider: the practice model makes no summaries');
  if (model !== undefined) return { summarise: { model } };
  return isOn ? { summarise: {} } : {};
}

function connectionOf(named: string | undefined, baseUrl: string | undefined, model: string | undefined, apiKey: string): ConnectionInput | undefined {
  if (named === undefined) {
    if (baseUrl !== undefined || model !== undefined)
      throw new Error(`--base-url and --model need --provider: ${providers.map((known) => known.id).join(' or ')}`);
    return undefined;
  }
  const provider = providers.find((known) => known.id === named);
  if (provider === undefined) throw new Error(`--provider takes ${providers.map((known) => known.id).join(' or ')}, not ${named}`);
  if (model === undefined) throw new Error('--provider needs --model, the name of the model');
  return { provider: provider.id, baseUrl: baseUrl ?? provider.defaultBaseUrl, model, apiKey };
}
