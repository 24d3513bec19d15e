/** Programs that change the folder of the commands behind them. */
export const folderChangers: ReadonlySet<string> = new Set(['cd', 'pushd', 'popd']);
