declare const brand: unique symbol;
/** A string that only the code which made it may call by this name. */
export type Brand<Name extends string> = string & { readonly [brand]: Name };

export type SessionId = Brand<'session'>;
export type WorkspaceId = Brand<'workspace'>;
export type TurnId = Brand<'turn'>;
export type StepId = Brand<'step'>;
/** A subagent; the agent of the turn itself has none. */
export type AgentId = Brand<'agent'>;
export type BatchId = Brand<'batch'>;
/** Our own id of a call, unique in its session; the provider's id of it is `ToolCall.wireId`. */
export type CallId = Brand<'call'>;
export type ApprovalId = Brand<'approval'>;
export type QuestionId = Brand<'question'>;
/** Names a spilled result; given to the model in the cut marker. */
export type SpillRef = Brand<'spill'>;

/** Makes ids that are unique over tabs; `kind` becomes the readable prefix. */
export type NewId = <Id extends string = string>(kind: string) => Id;
/** Milliseconds since the Unix epoch; a port, so that tests own the time. */
export type Now = () => number;
