/** A line is matched by backtracking: its cost is a power of the name's length with a step more for each star. */
const STARS_MOST = 3;
const STARS_OF_LINE = 6;
const LINE_UNITS = 1_000;
const FILE_UNITS = 256 * 1024;

/**
 * The lines of a `.gitignore` that are matched at a bounded cost, whatever the file was written for.
 *
 * In     a whole file, of any size and by anybody.
 * Out    the same text without lines over 1,000 characters, with more than three stars between two slashes, or more than six in all: what
 *        such a line names is not ignored. Nothing after 256 KiB is read.
 */
export function boundedIgnoreLines(text: string): string {
  return text.slice(0, FILE_UNITS).split(/\r?\n/).filter(isBounded).join('\n');
}

function isBounded(line: string): boolean {
  if (line.length > LINE_UNITS) return false;
  const stars = line.split('/').map((segment) => segment.match(/\*+/g)?.length ?? 0);
  return stars.every((count) => count <= STARS_MOST) && stars.reduce((sum, count) => sum + count, 0) <= STARS_OF_LINE;
}
