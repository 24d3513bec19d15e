/** Programs that pack a file under its name with a suffix, and unpack it under the name without. */
export const packers: readonly string[] = [
  ...['brotli', 'bunzip2', 'bzip2', 'compress', 'gunzip', 'gzip', 'lunzip', 'lz4', 'lzip', 'lzma', 'lzop', 'pbzip2', 'pigz', 'pzstd', 'uncompress'],
  ...['unlz4', 'unlzma', 'unpigz', 'unxz', 'unzstd', 'xz', 'zstd'],
];

/** With one of these they only read. */
export const packersReading: readonly string[] = ['-c', '-l', '-t', '--list', '--stdout', '--test', '--to-stdout'];
