import type { CallId, NewId } from '@/lib/contracts/ids';
import type { ModelEvent, StopReason, Usage } from '@/lib/contracts/model';
import type { ToolCall } from '@/lib/contracts/plan';
import { createRootValueScan, type RootValueScan } from '@/lib/shared/root-value';
import { isDoubleEncoded, isWrapperName, unwrapParallel } from './parallel-wrapper';

/** What became known while a response streams. `block`: the place of a text block among the blocks of the step, from 0. */
export type Assembled =
  | { readonly type: 'text-start' | 'text-end'; readonly block: number }
  /** Raw: forged calls are still in it. */
  | { readonly type: 'text-delta'; readonly block: number; readonly text: string }
  | { readonly type: 'reasoning-delta'; readonly text: string }
  | { readonly type: 'call-start'; readonly callId: CallId; readonly name: string }
  /** Its block has ended, or its arguments are complete. Said again, with the same id, if the wire changes the call afterwards. */
  | { readonly type: 'call-complete'; readonly call: ToolCall }
  | { readonly type: 'warning'; readonly code: string; readonly callId?: CallId };

export type AssembledBlock =
  | { readonly kind: 'text'; readonly block: number; readonly text: string }
  | { readonly kind: 'reasoning'; readonly text: string; readonly signature?: string }
  | { readonly kind: 'call'; readonly call: ToolCall };

/** A response, put together. Empty text blocks and calls that had not ended when the stream broke are left out. */
export interface AssembledStep {
  readonly blocks: readonly AssembledBlock[];
  /** In the order in which they first appeared. */
  readonly calls: readonly ToolCall[];
  readonly stop: StopReason | null;
  readonly rawStop: string | null;
  readonly usage: Usage;
}

export interface AssemblerPorts {
  readonly newId: NewId;
  /** Names of the tools that were sent. */
  readonly registered: ReadonlySet<string>;
}

export interface BlockAssembler {
  push(event: ModelEvent): readonly Assembled[];
  end(closedCleanly: boolean): { readonly events: readonly Assembled[]; readonly step: AssembledStep };
}

interface TextEntry {
  readonly kind: 'text';
  readonly block: number;
  readonly parts: string[];
}
interface ReasoningEntry {
  readonly kind: 'reasoning';
  readonly parts: string[];
  signature?: string;
}
interface CallEntry {
  readonly kind: 'call';
  readonly callId: CallId;
  /** Takes the place of a wire id that never comes; the same whenever the same response is read. */
  readonly ownId: string;
  wireId: string;
  name: string;
  parts: string[];
  scan: RootValueScan;
  damaged: boolean;
  readonly warnings: Set<string>;
  /** How many of its calls were told to have started. */
  announced: number;
  /** The wire ended it. */
  hasEnded: boolean;
  /** What was said to be complete; more than one for a wrapper. */
  minted: readonly ToolCall[];
  isStale: boolean;
  /** Its arguments are JSON text inside a string, as far as they came. */
  isDouble: boolean;
}

/**
 * Puts the blocks of one response together. The only mint of `ToolCall`: a call comes from the provider's structured channel.
 *
 * In     neutral events in order. `end(false)`: the stream broke.
 * Out    a call counts once the wire ended its block or the root value of its arguments is complete; when the stream ends cleanly
 *        all count, when it broke the others are dropped. A bare `{}` waits for the wire: real arguments may still follow it.
 * Order  linear: fragments are joined once, when a call or block is complete.
 * Source governance 4; the cases of kind `tool-call-stream`, and of kind `truncation` for broken streams.
 */
export function createBlockAssembler({ newId, registered }: AssemblerPorts): BlockAssembler {
  const entries: (TextEntry | ReasoningEntry | CallEntry)[] = [];
  const calls = new Map<string, CallEntry>();
  let text: TextEntry | undefined;
  let reasoning: ReasoningEntry | undefined;
  let stop: StopReason | null = null;
  let rawStop: string | null = null;
  let usage: Usage = {};
  let out: Assembled[] = [];

  const openText = (): TextEntry => {
    text = { kind: 'text', block: entries.length, parts: [] };
    entries.push(text);
    out.push({ type: 'text-start', block: text.block });
    return text;
  };

  const closeText = (): void => {
    if (text !== undefined) out.push({ type: 'text-end', block: text.block });
    text = undefined;
  };

  const openReasoning = (): ReasoningEntry => {
    reasoning = { kind: 'reasoning', parts: [] };
    entries.push(reasoning);
    return reasoning;
  };

  const openCall = (key: string, wireId: string, name: string): CallEntry => {
    const scan = createRootValueScan();
    const ownId = `call_of_block_${entries.length}`;
    const call: CallEntry = {
      kind: 'call',
      callId: newId<CallId>('call'),
      ownId,
      wireId,
      name,
      parts: [],
      scan,
      damaged: false,
      warnings: new Set(),
      announced: 0,
      hasEnded: false,
      minted: [],
      isStale: true,
      isDouble: false,
    };
    calls.set(key, call);
    entries.push(call);
    return call;
  };

  /** A name may come in fragments: it is told once it is a tool's, or arguments show that it is whole. */
  const announce = (call: CallEntry, isNameWhole: boolean): void => {
    if (call.announced > 0 || isWrapperName(call.name, registered) || !(isNameWhole || registered.has(call.name))) return;
    call.announced = 1;
    out.push({ type: 'call-start', callId: call.callId, name: call.name });
  };

  const warn = (code: string, call: CallEntry | undefined): void => {
    if (call?.warnings.has(code)) return;
    call?.warnings.add(code);
    out.push(call === undefined ? { type: 'warning', code } : { type: 'warning', code, callId: call.callId });
  };

  const mint = (call: CallEntry): readonly ToolCall[] => {
    const argumentsText = call.parts.join('');
    const { callId, damaged } = call;
    const wireId = call.wireId === '' ? call.ownId : call.wireId;
    const wrapped = isWrapperName(call.name, registered) ? unwrapParallel(argumentsText, registered) : undefined;
    call.isDouble = isDoubleEncoded(argumentsText);
    if (wrapped === undefined) return [reviveCall({ callId, wireId, name: call.name, argumentsText, damaged, warnings: [...call.warnings] })];
    warn('parallel-wrapper', call);
    return wrapped.map((inner, i) => {
      const innerId = call.minted[i]?.callId ?? (i === 0 ? callId : newId<CallId>('call'));
      return reviveCall({ ...inner, callId: innerId, wireId: `${call.ownId}_${i}`, damaged, warnings: [...call.warnings] });
    });
  };

  const complete = (call: CallEntry): void => {
    call.minted = mint(call);
    call.isStale = false;
    announce(call, true);
    for (const [i, minted] of call.minted.entries()) {
      if (i >= call.announced) out.push({ type: 'call-start', callId: minted.callId, name: minted.name });
      out.push({ type: 'call-complete', call: minted });
    }
    call.announced = Math.max(call.announced, call.minted.length);
  };

  const isWhole = (call: CallEntry): boolean => call.scan.state === 'complete' && !call.scan.isEmptyObject;

  const addArguments = (call: CallEntry, fragment: string, damaged: boolean): void => {
    announce(call, call.name !== '');
    const wasWhole = isWhole(call);
    call.scan.push(fragment);
    call.parts.push(fragment);
    const changes = (damaged && !call.damaged) || !(wasWhole && isWhole(call));
    call.damaged ||= damaged;
    call.isStale ||= changes;
    if (!wasWhole && isWhole(call) && !call.hasEnded && call.name !== '' && !isWrapperName(call.name, registered)) complete(call);
  };

  const take = (event: ModelEvent): void => {
    switch (event.type) {
      case 'text-start':
        closeText();
        openText();
        return;
      case 'text-delta': {
        const { block, parts } = text ?? openText();
        parts.push(event.text);
        out.push({ type: 'text-delta', block, text: event.text });
        return;
      }
      case 'text-end':
        return closeText();
      case 'reasoning-delta':
        (reasoning ?? openReasoning()).parts.push(event.text);
        out.push({ type: 'reasoning-delta', text: event.text });
        return;
      case 'reasoning-end':
        if (event.signature !== undefined) (reasoning ?? openReasoning()).signature = event.signature;
        reasoning = undefined;
        return;
      case 'call-start':
        return announce(openCall(event.key, event.wireId, event.name), false);
      case 'usage':
        usage = { ...usage, ...event.usage };
        return;
      case 'stop':
        stop = event.reason;
        rawStop = event.raw;
        return;
      case 'warning':
        return warn(event.code, event.key === undefined ? undefined : calls.get(event.key));
      case 'provider-error':
        return;
      default: {
        const call = calls.get(event.key);
        if (call !== undefined) takeCallNews(call, event);
      }
    }
  };

  const takeCallNews = (call: CallEntry, event: Extract<ModelEvent, { readonly type: 'call-name' | 'call-args' | 'call-args-reset' | 'call-end' }>): void => {
    switch (event.type) {
      case 'call-name':
        call.isStale = true;
        call.wireId = event.wireId ?? call.wireId;
        call.name = event.name ?? call.name;
        return announce(call, false);
      case 'call-args':
        return addArguments(call, event.text, event.damaged === true);
      case 'call-args-reset':
        call.isStale = true;
        call.parts = [];
        call.scan = createRootValueScan();
        return;
      case 'call-end':
        call.hasEnded = true;
        if (call.isStale) complete(call);
    }
  };

  const taken = (): readonly Assembled[] => {
    if (out.length === 0) return nothing;
    const events = out;
    out = [];
    return events;
  };

  /** Warnings that came after a call was complete belong to it as well. */
  const withWarnings = (call: CallEntry): readonly ToolCall[] =>
    call.minted.every((minted) => minted.warnings.length === call.warnings.size)
      ? call.minted
      : call.minted.map((minted) => reviveCall({ ...minted, warnings: [...call.warnings] }));

  return {
    push(event) {
      take(event);
      return taken();
    },
    end(closedCleanly) {
      closeText();
      const counts = (entry: CallEntry): boolean => closedCleanly || isWhole(entry) || (entry.hasEnded && !entry.isStale);
      const kept = entries.filter((entry) => entry.kind !== 'call' || counts(entry));
      for (const entry of kept) {
        if (entry.kind !== 'call') continue;
        if (entry.isStale) complete(entry);
        // Said at the end only: what follows a whole string may still make it no JSON at all.
        if (entry.isDouble) warn('arguments-double-encoded', entry);
      }
      const blocks: AssembledBlock[] = [];
      const minted: ToolCall[] = [];
      for (const entry of kept) {
        if (entry.kind !== 'call') addBlock(entry, blocks);
        else
          for (const call of withWarnings(entry)) {
            blocks.push({ kind: 'call', call });
            minted.push(call);
          }
      }
      return { events: taken(), step: { blocks, calls: minted, stop, rawStop, usage } };
    },
  };
}

/** Most events of a wire are fragments and make nothing known. */
const nothing: readonly Assembled[] = [];

function addBlock(entry: TextEntry | ReasoningEntry, blocks: AssembledBlock[]): void {
  const text = entry.parts.join('');
  if (entry.kind === 'reasoning')
    blocks.push(entry.signature === undefined ? { kind: 'reasoning', text } : { kind: 'reasoning', text, signature: entry.signature });
  else if (text !== '') blocks.push({ kind: 'text', block: entry.block, text });
}

/** Makes a call again from the log of one that came over the structured channel; the assembler makes its own by it too. */
export function reviveCall(fields: Pick<ToolCall, Extract<keyof ToolCall, string>>): ToolCall {
  return fields as ToolCall;
}
