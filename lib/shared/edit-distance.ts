/**
 * Levenshtein distance in code points: insert, delete and replace cost 1.
 *
 * Out    the distance, or `limit + 1` as soon as it is known to be over `limit`.
 */
export function editDistance(a: string, b: string, limit = Number.POSITIVE_INFINITY): number {
  const [short, long] = [[...a], [...b]].sort((x, y) => x.length - y.length) as [string[], string[]];
  if (long.length - short.length > limit) return limit + 1;
  let previous = short.map((_, index) => index + 1);
  for (let row = 1; row <= long.length; row++) {
    const current: number[] = [];
    let left = row;
    let diagonal = row - 1;
    let smallest = row;
    for (let column = 0; column < short.length; column++) {
      const above = previous[column] as number;
      left = Math.min(left + 1, above + 1, diagonal + (long[row - 1] === short[column] ? 0 : 1));
      current.push(left);
      diagonal = above;
      if (left < smallest) smallest = left;
    }
    if (smallest > limit) return limit + 1;
    previous = current;
  }
  const distance = previous.at(-1) ?? long.length;
  return distance > limit ? limit + 1 : distance;
}
