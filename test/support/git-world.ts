import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runGit } from '@/lib/git/command/run-git';
import { createGit } from '@/lib/git/create-git';
import { createMemoryRuntimeFs } from './memory-runtime-fs';

/** The real git stands by on this machine. */
export const hasGit = spawnSync('git', ['--version']).status === 0;

const author = { name: 'Ada Test', email: 'ada@example.invalid' };

/** A workspace with our git over it, and the real one over a copy of the same bytes. */
export function createGitWorld(files: Readonly<Record<string, string>> = {}) {
  const fs = createMemoryRuntimeFs(files);
  let seconds = 1_767_603_600;
  const now = () => seconds++ * 1000;
  const git = async (line: string | readonly string[], cwd = '', stdin = '') => {
    const args = typeof line === 'string' ? wordsOf(line) : line;
    return runGit(
      { args, cwd: cwd === '' ? '/workspace' : `/workspace/${cwd}`, root: '/workspace', env: {}, stdin, signal: new AbortController().signal },
      { fs, now, author },
    );
  };
  /** What the real git says in a copy of the workspace as it is now. */
  const real = (line: string | readonly string[], cwd = '') => {
    const copy = mkdtempSync(join(tmpdir(), 'git-world-'));
    try {
      for (const folder of ['.git/refs/heads', '.git/objects']) mkdirSync(join(copy, folder), { recursive: true });
      for (const [path, bytes] of fs.contents) {
        mkdirSync(join(copy, dirname(path)), { recursive: true });
        writeFileSync(join(copy, path), bytes, { mode: 0o644 });
      }
      const env = {
        NODE_ENV: 'test' as const,
        PATH: process.env['PATH'] ?? '',
        HOME: copy,
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_CONFIG_GLOBAL: '/dev/null',
        LC_ALL: 'C',
      };
      const ran = spawnSync('git', typeof line === 'string' ? wordsOf(line) : [...line], { cwd: join(copy, cwd), env, encoding: 'utf8' });
      return { stdout: ran.stdout, stderr: ran.stderr, exitCode: ran.status ?? -1 };
    } finally {
      rmSync(copy, { recursive: true, force: true });
    }
  };
  const write = async (path: string, text: string) => {
    if (path.includes('/')) await fs.mkdir(path.slice(0, path.lastIndexOf('/')), { recursive: true });
    await fs.writeFile(path, text);
  };
  return { fs, git, real, write, port: createGit(fs, { now, author }) };
}

/** Words of a line; quotes keep spaces. */
function wordsOf(line: string): readonly string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, double, single, plain]) => double ?? single ?? plain ?? '');
}
