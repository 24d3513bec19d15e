import { canonicalJson } from '@/lib/shared/canonical-json';
import { messageOf } from '@/lib/shared/coded-error';
import type { Case } from './case-file';
import type { CaseReport, Runner } from './runner';
import { runners } from './runners';

/** The runner of a case: by its kind and the kind (or `op`) inside its input, else by its kind alone. */
export function runnerOf(kind: string, one: Case): Runner | undefined {
  return runners.get(`${kind}/${String(one.input.kind ?? one.input.op)}`) ?? runners.get(kind);
}

/**
 * Runs one case against the product's own functions.
 *
 * Out    passed, or what was expected and what came. No runner, an unknown field, an exception: a failure, with the reason as what came.
 * Fails  never rejects.
 */
export async function runCase(kind: string, one: Case, siblings: readonly Case[], find = runnerOf): Promise<CaseReport> {
  const { id, why, expected } = one;
  try {
    const runner = find(kind, one);
    if (runner === undefined) throw new Error(`there is no runner for ${kind}${typeof one.input.kind === 'string' ? `/${one.input.kind}` : ''}`);
    const got = await runner(one, siblings);
    return canonicalJson(got) === canonicalJson(expected) ? { passed: true, id, why } : { passed: false, id, why, expected, got };
  } catch (error) {
    return { passed: false, id, why, expected, got: { exception: messageOf(error) } };
  }
}
