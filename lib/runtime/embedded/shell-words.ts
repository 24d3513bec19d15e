/** One word of a shell command line that means exactly `text`. */
export function quoteWord(text: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(text) && !/^[A-Za-z_][A-Za-z0-9_]*=/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A command line that runs `words` as they are. */
export function shellCommandLine(words: readonly string[]): string {
  return words.map(quoteWord).join(' ');
}
