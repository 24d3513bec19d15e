import type { Bash } from 'just-bash/browser';

/** The shell's syntax tree, by the types of its own transform plugins. */
export type Plugin = Parameters<Bash['registerTransformPlugin']>[0];
export type ScriptNode = ReturnType<Bash['transform']>['ast'];
export type StatementNode = ScriptNode['statements'][number];
export type PipelineNode = StatementNode['pipelines'][number];
export type CommandNode = PipelineNode['commands'][number];
export type SimpleCommandNode = Extract<CommandNode, { type: 'SimpleCommand' }>;
export type WordNode = SimpleCommandNode['args'][number];
export type RedirectionNode = SimpleCommandNode['redirections'][number];

export function wordOf(text: string): WordNode {
  return { type: 'Word', parts: [{ type: 'SingleQuoted', value: text }] };
}
