import { isSpace } from './forged-shapes';

const TAGS: ReadonlySet<string> = new Set(['tool_call', 'tool_code', 'function_call']);
const LONGEST_TAG = 13;

const NEWLINE = 0x0a;
const BACKTICK = 0x60;
const TILDE = 0x7e;

/**
 * Watches visible text for a code fence tagged as a call; the text stays as it is, only a notice is raised.
 *
 * In     every unit while `idle` is false, and every line feed; `brokeOff` when something was hidden in between.
 * Out    true once it is certain: the tag of such a fence has ended, and with backticks its line.
 */
export interface FenceWatch {
  /** Nothing on this line can be a fence any more: only line feeds matter. */
  idle: boolean;
  step(unit: number): boolean;
  brokeOff(): boolean;
}

export function createFenceWatch(): FenceWatch {
  let stage: 'indent' | 'run' | 'gap' | 'tag' | 'rest' = 'indent';
  let run = 0;
  let mark = 0;
  let tag = '';

  const watch: FenceWatch = {
    idle: false,
    step(unit) {
      if (unit === NEWLINE) {
        const found = watch.brokeOff();
        watch.idle = false;
        stage = 'indent';
        return found;
      }
      if (watch.idle) return false;
      if (stage === 'indent') {
        if (unit === BACKTICK || unit === TILDE) {
          stage = 'run';
          mark = unit;
          run = 1;
        } else if (unit !== 0x20 && unit !== 0x09 && unit !== 0x0d && unit !== 0x3e) watch.idle = true;
        return false;
      }
      if (stage === 'run') {
        if (unit === mark) {
          run++;
          return false;
        }
        if (run < 3) {
          watch.idle = true;
          return false;
        }
        stage = 'gap';
        tag = '';
      }
      if (stage === 'gap') {
        if (unit === 0x20 || unit === 0x09) return false;
        stage = 'tag';
      }
      // A backtick behind the tag makes inline code of what looked like a fence of backticks.
      if (mark === BACKTICK && unit === BACKTICK) {
        watch.idle = true;
        return false;
      }
      if (stage === 'rest') return false;
      if (isSpace(unit) || unit === 0x7b) {
        if (mark === TILDE || !TAGS.has(tag.toLowerCase())) return watch.brokeOff();
        stage = 'rest';
        return false;
      }
      tag += String.fromCharCode(unit);
      if (tag.length > LONGEST_TAG) watch.idle = true;
      return false;
    },
    brokeOff() {
      const found = !watch.idle && (stage === 'tag' || stage === 'rest') && TAGS.has(tag.toLowerCase());
      watch.idle = true;
      return found;
    },
  };
  return watch;
}
