import { literalWord, readsInput } from './reads-input';
import { INPUT_LINE_PATH, INPUT_PATH, OUTPUT_PATHS } from './shell-files';
import { type CommandNode, type PipelineNode, type RedirectionNode, type ScriptNode, type SimpleCommandNode, type StatementNode, wordOf } from './syntax';

/** Which of a command's standard streams are the program's own. */
interface Streams {
  readonly input: boolean;
  readonly output: boolean;
  readonly errors: boolean;
}

/** Tells a command of ours (see `LIVE_COMMANDS`) which streams are the program's own: `i` input, `o` output. */
export const LIVE_VARIABLE = 'GATEHOUSE_LIVE';

/** Commands that run programs of their own and stream by themselves. */
export const LIVE_COMMANDS: ReadonlySet<string> = new Set(['node', 'npm', 'npx', 'sh', 'bash']);

/** Runs its argument as a script in the background. */
export const BACKGROUND_COMMAND = 'gatehouse-background';

/** Stands for `wait`, which the shell itself answers at once. */
export const WAIT_COMMAND = 'gatehouse-wait';

const CONTROL = new Set(['return', 'exit', 'break', 'continue', 'shift', 'set', 'local', 'declare', 'typeset', 'readonly']);

/**
 * Redirects each command whose output would reach the program's output to a path that is written through at once, since the shell
 * itself hands its output over only at the end; and each that reads the program's input to a path that waits for it. `command &`
 * becomes a command that starts it in the background (`textOf` writes it as a script).
 *
 * Function bodies stay as they are: they may be called where their output is captured.
 */
export function streamOutput(script: ScriptNode, textOf: (script: ScriptNode) => string): ScriptNode {
  if (hasExec(script)) return script;
  const all: Streams = { input: true, output: true, errors: true };

  const statements = (list: readonly StatementNode[], streams: Streams): StatementNode[] => list.map((statement) => ofStatement(statement, streams));

  const ofStatement = (statement: StatementNode, streams: Streams): StatementNode => {
    if (!statement.background) return { ...statement, pipelines: statement.pipelines.map((pipeline) => ofPipeline(pipeline, streams)) };
    const text = textOf({ type: 'Script', statements: [{ ...statement, background: false }] });
    const start: SimpleCommandNode = { type: 'SimpleCommand', assignments: [], name: wordOf(BACKGROUND_COMMAND), args: [wordOf(text)], redirections: [] };
    return { ...statement, background: false, operators: [], pipelines: [{ type: 'Pipeline', negated: false, commands: [start] }] };
  };

  const ofPipeline = (pipeline: PipelineNode, streams: Streams): PipelineNode => {
    const last = pipeline.commands.length - 1;
    return {
      ...pipeline,
      commands: pipeline.commands.map((command, i) =>
        ofCommand(command, {
          input: streams.input && i === 0,
          output: streams.output && i === last,
          errors: streams.errors && !(pipeline.pipeStderr?.[i] ?? false),
        }),
      ),
    };
  };

  const ofCommand = (command: CommandNode, outer: Streams): CommandNode => {
    if (command.type === 'SimpleCommand') return ofSimple(command, outer);
    if (command.type === 'FunctionDef') return command;
    const streams = inside(command.redirections, outer);
    switch (command.type) {
      case 'If':
        return {
          ...command,
          clauses: command.clauses.map((clause) => ({ ...clause, condition: statements(clause.condition, streams), body: statements(clause.body, streams) })),
          elseBody: command.elseBody && statements(command.elseBody, streams),
        };
      case 'While':
      case 'Until':
        return { ...command, condition: statements(command.condition, streams), body: statements(command.body, streams) };
      case 'For':
      case 'CStyleFor':
      case 'Subshell':
      case 'Group':
        return { ...command, body: statements(command.body, streams) };
      case 'Case':
        return { ...command, items: command.items.map((item) => ({ ...item, body: statements(item.body, streams) })) };
      default:
        return command;
    }
  };

  return { ...script, statements: statements(script.statements, all) };
}

function ofSimple(command: SimpleCommandNode, outer: Streams): SimpleCommandNode {
  const name = literalWord(command.name);
  if (!command.name || (name !== undefined && (CONTROL.has(name) || name === BACKGROUND_COMMAND))) return command;
  if (name === 'wait') return { ...command, name: wordOf(WAIT_COMMAND), args: [] };
  const own = inside(command.redirections, outer);
  const hooks: RedirectionNode[] = [];
  if (outer.output) hooks.push(redirect('>>', 1, OUTPUT_PATHS[1]));
  if (outer.errors) hooks.push(redirect('>>', 2, OUTPUT_PATHS[2]));
  if (name !== undefined && LIVE_COMMANDS.has(name)) {
    const live = (own.input ? 'i' : '') + (own.output && (own.errors || command.redirections.some(isErrorsToOutput)) ? 'o' : '');
    const mark = { type: 'Assignment' as const, name: LIVE_VARIABLE, value: wordOf(live), append: false, array: null };
    return { ...command, assignments: [...command.assignments, mark], redirections: [...hooks, ...command.redirections] };
  }
  const reads = own.input ? readsInput(command) : undefined;
  if (reads) hooks.push(redirect('<', 0, reads === 'line' ? INPUT_LINE_PATH : INPUT_PATH));
  return hooks.length === 0 ? command : { ...command, redirections: [...hooks, ...command.redirections] };
}

function inside(redirections: readonly RedirectionNode[], outer: Streams): Streams {
  let { input, output, errors } = outer;
  for (const redirection of redirections) {
    if (isErrorsToOutput(redirection) && output) continue;
    const { operator, fd } = redirection;
    if (operator.startsWith('<')) {
      if ((fd ?? 0) === 0) input = false;
    } else if (operator.startsWith('&') || (operator === '>&' && fd === null)) output = errors = false;
    else if ((fd ?? 1) === 1) output = false;
    else if (fd === 2) errors = false;
  }
  return { input, output, errors };
}

function isErrorsToOutput(redirection: RedirectionNode): boolean {
  return redirection.operator === '>&' && redirection.fd === 2 && redirection.target.type === 'Word' && literalWord(redirection.target) === '1';
}

function redirect(operator: '>>' | '<', fd: number, path: string): RedirectionNode {
  return { type: 'Redirection', fd, operator, target: wordOf(path) };
}

/** `exec` with redirections changes the streams of everything after it: such a script is left alone. */
function hasExec(script: ScriptNode): boolean {
  return JSON.stringify(script).includes('"parts":[{"type":"Literal","value":"exec"}]');
}
