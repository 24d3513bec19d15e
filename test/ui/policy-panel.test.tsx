// @vitest-environment happy-dom
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PolicyPanel } from '@/components/policy/policy-panel';
import type { PolicyCommands } from '@/lib/client/policy-commands';
import { viewPolicy } from '@/lib/client/policy-view';
import type { CallId } from '@/lib/contracts/ids';
import type { PolicyDifference, PolicyStatus } from '@/lib/contracts/policy';
import { policyWithoutRules } from '@/lib/policy/starter-policy';

let root: Root;
let place: HTMLElement;
let done: unknown[] = [];
let problem: string | undefined;

const difference: PolicyDifference = {
  compared: 3,
  changed: [{ callId: 'call-1' as CallId, tool: 'exec_shell', summary: 'npm publish', before: 'ask', after: 'allow', evidence: 'The allow rule "*" fits it.' }],
  lines: ['− allow command ls *', '+ allow command *'],
};
const commands: PolicyCommands = {
  async write(text) {
    done.push(['write', text === null ? null : text.length]);
    return problem === undefined ? {} : { problem };
  },
  async accept(fingerprint) {
    done.push(['accept', fingerprint]);
    return {};
  },
  compare: async () => ({ difference }),
  addRule: async () => ({}),
};

beforeEach(() => {
  (globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;
  done = [];
  problem = undefined;
  place = document.body.appendChild(document.createElement('div'));
  root = createRoot(place);
});
afterEach(() => {
  act(() => root.unmount());
  place.remove();
});

const show = (status: PolicyStatus) => act(async () => root.render(<PolicyPanel status={status} commands={commands} onOpenFile={() => done.push('open')} />));
const buttons = () => [...place.querySelectorAll('button')].map((button) => button.textContent ?? '').filter((name) => !/copy|wrap/i.test(name));
const click = (name: string) =>
  act(async () => {
    const found = [...place.querySelectorAll('button')].find((button) => button.textContent === name);
    if (found === undefined) throw new Error(`no button ${name}`);
    found.click();
  });

describe('the policy panel', () => {
  it('shows the starter policy, turns it off by one switch, or makes a file of it', async () => {
    await show({});
    expect(place.textContent).toContain('"git show *"');
    await click('Turn the starter policy off');
    await click('Edit it as gatehouse.policy.json');
    expect(done).toEqual([['write', expect.any(Number)], ['write', expect.any(Number)], 'open']);
    await show({ inForce: policyWithoutRules });
    await click('Use the starter policy again');
    expect(done.at(-1)).toEqual(['write', null]);
  });

  it('says where a file does not load', async () => {
    await show({ inForce: { broken: { message: '"dney" is no field of shell.', line: 3, column: 14 } } });
    expect(place.textContent).toContain('Line 3, column 14: "dney" is no field of shell.');
    expect(place.textContent).toContain('every call is asked for');
    await click('Open gatehouse.policy.json');
    expect(done).toEqual(['open']);
  });

  it('shows what a file that waits would change before it can be accepted', async () => {
    await show({ inForce: policyWithoutRules, pending: { fingerprint: '12-abc' } });
    const waiting = place.querySelector('section[aria-label="The policy that waits"]');
    expect([...(waiting?.querySelectorAll('li') ?? [])].map((item) => item.textContent)).toEqual([
      'npm publish allow, was askThe allow rule "*" fits it.',
      '− allow command ls *',
      '+ allow command *',
    ]);
    await click('Accept this policy');
    expect(done).toEqual([['accept', '12-abc']]);
  });

  it('says what failed and leaves the file closed', async () => {
    problem = 'The disk is full. Nothing was changed.';
    await show({});
    await click('Edit it as gatehouse.policy.json');
    expect([place.querySelector('[role=status]')?.textContent, done.includes('open')]).toEqual([problem, false]);
    expect(buttons()).toContain('Turn the starter policy off');
  });
});

describe('the word for a policy', () => {
  it('tells each state apart', () => {
    const broken = { broken: { message: 'x', line: 1, column: 1 } };
    expect(
      [
        {},
        { inForce: policyWithoutRules },
        { inForce: { ...policyWithoutRules, default: 'deny' as const } },
        { inForce: broken },
        { pending: { fingerprint: 'removed' } },
      ].map((status) => viewPolicy(status).word),
    ).toEqual(['starter', 'no rules', 'your file', 'does not load', 'waits for you']);
  });
});
