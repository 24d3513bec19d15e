import type { CommandAnswer, EngineCommand } from '@/lib/contracts/commands';
import type { CallId, SessionId } from '@/lib/contracts/ids';
import type { PolicyDifference } from '@/lib/contracts/policy';

/** What the person does with the policy of the session that is shown. A problem is what happened and what to do, in words. */
export interface PolicyCommands {
  /** Writes the file, or removes it, as the person's own act. */
  write(text: string | null): Promise<{ readonly problem?: string }>;
  accept(fingerprint: string): Promise<{ readonly problem?: string }>;
  /** What the file that waits would change. */
  compare(): Promise<{ readonly difference?: PolicyDifference; readonly problem?: string }>;
  /** Adds the narrowest rule that allows this call. */
  addRule(callId: CallId): Promise<{ readonly rule?: string; readonly problem?: string }>;
}

type Run = <Command extends EngineCommand>(make: (sessionId: SessionId) => Command) => Promise<CommandAnswer<Command['type']>>;

export function createPolicyCommands(run: Run): PolicyCommands {
  return {
    async write(text) {
      const answer = await run((sessionId) => ({ type: 'policy-write', sessionId, text }));
      return answer.ok ? {} : { problem: answer.message };
    },
    async accept(fingerprint) {
      const answer = await run((sessionId) => ({ type: 'policy-accept', sessionId, fingerprint }));
      if (!answer.ok) return { problem: answer.message };
      return answer.value.counted ? {} : { problem: 'The file changed meanwhile, so nothing was accepted. Look at it again.' };
    },
    async compare() {
      const answer = await run((sessionId) => ({ type: 'policy-compare', sessionId }));
      if (!answer.ok) return { problem: answer.message };
      return answer.value.difference === null ? {} : { difference: answer.value.difference };
    },
    async addRule(callId) {
      const answer = await run((sessionId) => ({ type: 'policy-rule-add', sessionId, callId }));
      return answer.ok ? { rule: answer.value.rule } : { problem: answer.message };
    },
  };
}
