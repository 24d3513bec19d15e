import { judgeCommand } from '@/lib/policy/shell-verdict';
import { starterPolicy } from '@/lib/policy/starter-policy';
import { type Bench, inTurns, keep } from './row';

const hostile: Readonly<Record<string, string>> = {
  substitutions: '$('.repeat(3_000),
  'nested quotes': `sh -c '${'sh -c "'.repeat(1_500)}`,
  pipes: 'a | '.repeat(2_500),
  lists: 'cat a; '.repeat(1_400),
  braces: '{ '.repeat(5_000),
  parentheses: '( '.repeat(5_000),
  assignments: 'A=1 '.repeat(2_500),
  wrappers: 'env '.repeat(2_500),
  heredocs: 'cat <<A\n'.repeat(1_250),
  backticks: '`a '.repeat(3_300),
  variables: '${a:-'.repeat(2_000),
  redirects: 'a > b '.repeat(1_600),
};
const judge = (command: string) => judgeCommand(command, { ...starterPolicy.shell, default: 'ask' }, 'ask');

export const commands: readonly Bench[] = Object.entries(hostile).map(([shape, unit]) => {
  const name = `command-${shape.replaceAll(' ', '-')}`;
  return {
    name,
    // The longest command that is judged at all. A plain figure: nobody waits for a tenth of a second.
    async run() {
      const whole = unit.slice(0, 10_000);
      const {
        ms: { ours },
      } = inTurns({ ours: () => keep(judge(whole)) }, { rounds: 11, warmUp: 12 });
      return { name, value: ours, unit: 'ms', limit: 100, peer: null, peerValue: null, ratio: ours / 100, must: 1 };
    },
  };
});
