/** Programs that change the folder of the commands behind them. */
export const folderChangers: ReadonlySet<string> = new Set(['cd', 'pushd', 'popd']);

/** Built-ins that put what they read or print into a variable. */
export const fillers: readonly string[] = ['getopts', 'mapfile', 'printf', 'read', 'readarray'];
