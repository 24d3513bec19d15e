/** One word of a command. */
export interface ShellWord {
  /** As written. */
  readonly text: string;
  /** After quote removal (quotes, escapes, `$'…'`); an expansion keeps its text. */
  readonly value: string;
  /** It holds a parameter, arithmetic, command or process substitution, or an unquoted brace expansion. Globs and a leading ~ do not count. */
  readonly expands: boolean;
  /** It holds none of these, and neither a glob nor a leading ~: the shell hands on exactly `value`. */
  readonly literal: boolean;
  /** Of a word that is not literal: what it may become as a glob, special characters of quoted text escaped; `unknownText` and `anyText` stand for what only the shell knows. */
  readonly pattern?: string;
  /** The same with `homeText` and `hereText` where a well-known variable or a tilde names these folders; absent = it names none. */
  readonly resolved?: string;
  /** Range in the command as it was given (for a word of an inner script: the word that carries the script). */
  readonly from: number;
  readonly to: number;
}

/** Stands in a pattern for text that only the running shell knows. No path holds a NUL. */
export const unknownText = '\0';

/** Stands in a pattern for any run of characters, a leading dot included. */
export const anyText = '\u0001';

/** Stands in a resolved pattern for the home directory, and for the folder that the command runs in. */
export const homeText = '\u0002';
export const hereText = '\u0003';

export interface ShellRedirect {
  /** `duplicate`: joins or closes descriptors. `text`: a here-document or here-string. */
  readonly kind: 'read' | 'write' | 'duplicate' | 'text';
  /** As written. */
  readonly text: string;
  /** The file, the descriptor, or the text of a here-string; absent for a here-document. */
  readonly target?: ShellWord;
  /** Of kind `text`: its content holds expansions. */
  readonly expands?: boolean;
}

/**
 * Something that a shell command runs, with its own verdict.
 *
 * `command`: a simple command, also one without words (only assignments or redirections). `test`: `[[ … ]]`, `(( … ))` or
 * the head of a `for ((…))`, which have no words. `opaque`: something that runs and cannot be seen; `why` says what.
 */
export interface ShellPart {
  readonly kind: 'command' | 'test' | 'opaque';
  readonly text: string;
  /** Range in the command as it was given; for a part of an inner script the word or here-document that carries it. */
  readonly from: number;
  readonly to: number;
  readonly words: readonly ShellWord[];
  /** Assignments stand in front, or are all there is. */
  readonly assigns: boolean;
  /** Its own and those of every compound command around it. */
  readonly redirects: readonly ShellRedirect[];
  /** False: only one reading of a wrapper's unknown options makes it. */
  readonly sure: boolean;
  /** It stands in the list of commands itself: not inside a wrapper, a script given as text, or a compound that redirects. */
  readonly plain: boolean;
  /** What stands before it in a pipe that it reads from, as written. */
  readonly feed?: string;
  readonly why?: string;
}

/** A command, read. */
export interface ShellReading {
  readonly parts: readonly ShellPart[];
  /** It holds an invisible or direction-changing character. */
  readonly invisible: boolean;
  /** It holds cd, pushd or popd. */
  readonly changesFolder: boolean;
  /** The words of a command that is ONE simple command and nothing else: no operator, redirection, assignment, comment or newline around them. */
  readonly single?: readonly ShellWord[];
}
