import type { JsonObject } from '@/lib/shared/json';
import { grantOf } from './grant-key';

/** What a remembered approval of this call would let through, in words for its card; undefined where none can be remembered. */
export function grantWords(tool: string, input: JsonObject): string | undefined {
  const grant = grantOf(tool, input);
  if (grant === undefined) return undefined;
  switch (grant.kind) {
    case 'exact':
      return 'exactly this call, with exactly these arguments';
    case 'family':
      return `every command that begins with "${grant.words.join(' ')}"${grant.cwd === '' ? '' : ` in ${grant.cwd}`}, whatever options and words follow`;
    case 'files':
      return `every patch of exactly ${grant.files.length === 1 ? 'this file' : 'these files'}: ${grant.files.join(', ')}`;
    case 'host':
      return `every fetch from ${grant.host}`;
  }
}
