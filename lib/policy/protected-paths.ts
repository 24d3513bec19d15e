const policyFile = 'gatehouse.policy.json';

/**
 * True for a path whose writing is always asked for: the policy file, and anything under `.git/`.
 *
 * In     a workspace-relative path, normalised.
 * Source governance 9, "the law protects itself".
 */
export function isProtectedPath(path: string): boolean {
  return path === policyFile || path === '.git' || path.startsWith('.git/');
}
