/** Declarations that the language worker brings along: the compiler's own, and those of Node. Put in by `scripts/support/build-workers.mjs`. */
declare const TYPE_LIBRARIES: Readonly<Record<string, string>>;
