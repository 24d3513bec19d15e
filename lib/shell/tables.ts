/** How the command inside a wrapper is found; what each means stands in `inner-commands.ts`. */
export type WrapperKind = 'exec' | 'exec-after-1' | 'exec-after-1-or-c' | '-c' | 'text' | 'text-1' | 'script' | 'opaque';

/** Family of a command, by its first words → how many leading words make its approval key; `operands`: the program and every word that is no option. */
export const arity: Readonly<Record<string, number | 'operands'>> = {
  'aws cloudformation': 3, 'aws configure': 2, 'aws ec2': 3, 'aws ecs': 3, 'aws eks': 3, 'aws iam': 3, 'aws lambda': 3, 'aws rds': 3, 'aws s3': 3,
  'aws sts': 3, 'bun add': 2, 'bun build': 2, 'bun install': 2, 'bun run': 3, 'bun test': 2, 'cargo add': 2, 'cargo bench': 2, 'cargo build': 2,
  'cargo check': 2, 'cargo clean': 2, 'cargo clippy': 2, 'cargo doc': 2, 'cargo fix': 2, 'cargo fmt': 2, 'cargo generate': 2, 'cargo install': 2,
  'cargo metadata': 2, 'cargo package': 2, 'cargo publish': 2, 'cargo remove': 2, 'cargo run': 2, 'cargo search': 2, 'cargo test': 2,
  'cargo tree': 2, 'cargo uninstall': 2, 'cargo update': 2, 'cargo yank': 2, 'deno fmt': 2, 'deno lint': 2, 'deno run': 2, 'deno test': 2,
  'docker build': 2, 'docker compose': 3, 'docker container': 3, 'docker cp': 2, 'docker exec': 2, 'docker image': 3, 'docker images': 2,
  'docker inspect': 2, 'docker kill': 2, 'docker logs': 2, 'docker network': 3, 'docker ps': 2, 'docker pull': 2, 'docker push': 2, 'docker rm': 2,
  'docker rmi': 2, 'docker run': 2, 'docker start': 2, 'docker stop': 2, 'docker system': 3, 'docker tag': 2, 'docker volume': 3, 'gh issue': 3,
  'gh pr': 3, 'gh release': 3, 'gh repo': 3, 'gh run': 3, 'gh secret': 3, 'gh workflow': 3, 'git add': 2, 'git am': 2, 'git apply': 2,
  'git bisect': 2, 'git blame': 2, 'git branch': 2, 'git cat-file': 2, 'git checkout': 2, 'git cherry-pick': 2, 'git clean': 2, 'git clone': 2,
  'git commit': 2, 'git config': 2, 'git describe': 2, 'git diff': 2, 'git fetch': 2, 'git format-patch': 2, 'git grep': 2, 'git init': 2,
  'git log': 2, 'git ls-files': 2, 'git merge': 2, 'git mv': 2, 'git notes': 2, 'git pull': 2, 'git push': 2, 'git rebase': 2, 'git reflog': 2,
  'git remote': 2, 'git reset': 2, 'git restore': 2, 'git revert': 2, 'git rm': 2, 'git show': 2, 'git stash': 2, 'git status': 2,
  'git submodule': 2, 'git switch': 2, 'git tag': 2, 'git worktree': 2, 'go build': 2, 'go clean': 2, 'go env': 2, 'go fmt': 2, 'go generate': 2,
  'go get': 2, 'go install': 2, 'go list': 2, 'go mod': 3, 'go run': 2, 'go test': 2, 'go vet': 2, 'go work': 3, 'helm install': 2, 'helm list': 2,
  'helm repo': 3, 'helm status': 2, 'helm template': 2, 'helm uninstall': 2, 'helm upgrade': 2, 'kubectl apply': 2, 'kubectl create': 3,
  'kubectl delete': 3, 'kubectl describe': 3, 'kubectl exec': 2, 'kubectl explain': 2, 'kubectl get': 3, 'kubectl label': 2, 'kubectl logs': 2,
  'kubectl patch': 2, 'kubectl port-forward': 2, 'kubectl rollout': 3, 'kubectl scale': 2, 'kubectl set': 2, 'kubectl top': 3, make: 'operands',
  'npm audit': 2, 'npm build': 2, 'npm cache': 2, 'npm ci': 2, 'npm dedupe': 2, 'npm fund': 2, 'npm help': 2, 'npm info': 2, 'npm init': 2,
  'npm install': 2, 'npm link': 2, 'npm list': 2, 'npm ls': 2, 'npm outdated': 2, 'npm pack': 2, 'npm prune': 2, 'npm publish': 2, 'npm rebuild': 2,
  'npm run': 3, 'npm start': 2, 'npm stop': 2, 'npm test': 2, 'npm uninstall': 2, 'npm update': 2, 'npm version': 2, 'npm view': 2, npx: 2,
  'pip freeze': 2, 'pip install': 2, 'pip list': 2, 'pip show': 2, 'pip uninstall': 2, 'pip3 install': 2, 'pip3 list': 2, 'pip3 show': 2,
  'pip3 uninstall': 2, 'pnpm add': 2, 'pnpm build': 2, 'pnpm install': 2, 'pnpm run': 3, 'pnpm start': 2, 'pnpm test': 2, 'pnpm update': 2,
  'python -m': 3, 'python3 -m': 3, 'rustup default': 2, 'rustup install': 2, 'rustup show': 2, 'rustup target': 3, 'rustup toolchain': 3,
  'rustup update': 2, 'terraform apply': 2, 'terraform destroy': 2, 'terraform init': 2, 'terraform output': 2, 'terraform plan': 2,
  'terraform state': 3, 'terraform validate': 2, 'terraform workspace': 3, 'yarn add': 2, 'yarn audit': 2, 'yarn build': 2, 'yarn install': 2,
  'yarn run': 3, 'yarn start': 2, 'yarn test': 2, 'yarn upgrade': 2, 'yarn workspace': 3,
};

/** Commands whose first words are one of these never have a family key, and ask in auto mode. */
export const neverGroup: readonly string[] = [
  '.', 'Rscript', 'at', 'awk', 'aws cloudformation', 'aws configure', 'aws ec2', 'aws ecs', 'aws eks', 'aws iam', 'aws lambda', 'aws rds',
  'aws s3 cp', 'aws s3 mb', 'aws s3 mv', 'aws s3 rb', 'aws s3 rm', 'aws s3 sync', 'aws sts', 'bash', 'bun add', 'bun install', 'bunx', 'cargo add',
  'cargo clean', 'cargo fix', 'cargo generate', 'cargo install', 'cargo publish', 'cargo remove', 'cargo uninstall', 'cargo update', 'cargo yank',
  'chgrp', 'chmod', 'chown', 'cmake', 'cp', 'crontab', 'curl', 'dash', 'dd', 'deno run', 'doas', 'docker compose', 'docker container', 'docker cp',
  'docker exec', 'docker image', 'docker kill', 'docker network', 'docker pull', 'docker push', 'docker rm', 'docker rmi', 'docker run',
  'docker start', 'docker stop', 'docker system', 'docker tag', 'docker volume', 'env', 'eval', 'exec', 'fish', 'ftp', 'gawk', 'gh issue close',
  'gh issue comment', 'gh issue create', 'gh issue delete', 'gh issue edit', 'gh issue transfer', 'gh pr checkout', 'gh pr close', 'gh pr comment',
  'gh pr create', 'gh pr edit', 'gh pr merge', 'gh pr ready', 'gh pr reopen', 'gh pr review', 'gh release create', 'gh release delete',
  'gh release edit', 'gh release upload', 'gh repo archive', 'gh repo clone', 'gh repo create', 'gh repo delete', 'gh repo edit', 'gh repo fork',
  'gh repo rename', 'gh repo sync', 'gh run cancel', 'gh run delete', 'gh run rerun', 'gh secret', 'gh workflow disable', 'gh workflow enable',
  'gh workflow run', 'git am', 'git apply', 'git bisect', 'git branch', 'git checkout', 'git cherry-pick', 'git clean', 'git clone', 'git config',
  'git merge', 'git mv', 'git notes', 'git pull', 'git push', 'git rebase', 'git reflog', 'git remote', 'git reset', 'git restore', 'git revert',
  'git rm', 'git stash', 'git submodule', 'git switch', 'git tag', 'git worktree', 'go clean', 'go generate', 'go get', 'go install', 'go run',
  'go work', 'helm install', 'helm repo', 'helm uninstall', 'helm upgrade', 'kill', 'killall', 'ksh', 'kubectl apply', 'kubectl create',
  'kubectl delete', 'kubectl exec', 'kubectl label', 'kubectl patch', 'kubectl port-forward', 'kubectl rollout', 'kubectl scale', 'kubectl set',
  'ln', 'lua', 'mkfs', 'mount', 'mv', 'nc', 'ncat', 'nice', 'node', 'nohup', 'npm audit', 'npm cache', 'npm ci', 'npm dedupe', 'npm exec',
  'npm init', 'npm install', 'npm link', 'npm prune', 'npm publish', 'npm rebuild', 'npm uninstall', 'npm update', 'npm version', 'npx', 'osascript',
  'perl', 'php', 'pip install', 'pip uninstall', 'pip3 install', 'pip3 uninstall', 'pkexec', 'pkill', 'pnpm add', 'pnpm dlx', 'pnpm install',
  'pnpm update', 'powershell', 'pwsh', 'python -m cProfile', 'python -m ensurepip', 'python -m pdb', 'python -m pip', 'python -m runpy',
  'python -m timeit', 'python -m venv', 'python3 -m cProfile', 'python3 -m ensurepip', 'python3 -m pdb', 'python3 -m pip', 'python3 -m runpy',
  'python3 -m timeit', 'python3 -m venv', 'reboot', 'rm', 'rmdir', 'rsync', 'ruby', 'rustup default', 'rustup install', 'rustup target',
  'rustup toolchain', 'rustup update', 'scp', 'setsid', 'sftp', 'sh', 'shred', 'shutdown', 'socat', 'source', 'ssh', 'su', 'sudo', 'tee', 'telnet',
  'terraform apply', 'terraform destroy', 'terraform init', 'terraform state', 'terraform workspace', 'time', 'timeout', 'umount', 'unlink', 'watch',
  'wget', 'xargs', 'yarn add', 'yarn dlx', 'yarn install', 'yarn upgrade', 'yarn workspace', 'zsh',
];

/** Programs that run code given as text or as a file. */
export const interpreters: readonly string[] = [
  'Rscript', 'awk', 'bash', 'bun', 'dash', 'deno', 'fish', 'gawk', 'jsh', 'ksh', 'lua', 'node', 'perl', 'php', 'python', 'python3', 'ruby', 'sh',
  'ts-node', 'tsx', 'zsh',
];

/** With a slash at the end: a segment at any depth; without: a file in the root of the workspace. */
export const protectedPaths: readonly string[] = [
  'gatehouse.policy.json', '.git/',
];

/** Programs that change the files named by their words. */
export const pathWriters: readonly string[] = [
  'chmod', 'chown', 'cp', 'dd', 'install', 'ln', 'mv', 'rm', 'rmdir', 'rsync', 'shred', 'tee', 'touch', 'truncate', 'unlink',
];

/** Built-ins that change how later commands of the same shell run. */
export const stateBuiltins: readonly string[] = [
  'alias', 'declare', 'enable', 'export', 'hash', 'local', 'readonly', 'set', 'shopt', 'trap', 'typeset', 'unalias', 'unset',
];

/** Per program (`*` = every program): options that load code or move the command elsewhere. */
export const codeLoadingFlags: Readonly<Record<string, readonly string[]>> = {
  '*': ['--config', '--manifest-path'],
  cargo: ['--config', '--manifest-path', '-Z', '-C', '--target-dir', '--out-dir', '--artifact-dir'],
  docker: ['-H', '--host', '--context', '--config'],
  gh: ['--repo', '-R', '--hostname'],
  git: [
    '-c', '-C', '--config-env', '--exec-path', '--git-dir', '--work-tree', '--ext-diff', '--textconv', '-O', '--open-files-in-pager',
    '--upload-pack', '--receive-pack', '--output',
  ],
  go: ['-exec', '-toolexec', '-modfile', '-overlay', '-C', '-o', '-ldflags', '-gcflags'],
  helm: ['--kubeconfig', '--kube-context', '--post-renderer'],
  kubectl: ['--kubeconfig', '--context', '--server', '-s', '--token', '--as'],
  make: ['-C', '-f', '--file', '--makefile', '-I', '--eval', '--directory'],
  npm: ['--prefix', '-C', '--script-shell', '--node-options', '--globalconfig', '--userconfig', '--ignore-scripts=false'],
  pip: ['--python', '--target', '--prefix', '-r', '--requirement'],
  pnpm: ['-C', '--dir', '--script-shell'],
  python: ['-c', '-i', '-X'],
  python3: ['-c', '-i', '-X'],
  terraform: ['-chdir'],
  yarn: ['--cwd', '--use-yarnrc'],
};

/** Per program: options that write files or run programs. */
export const writeOptions: Readonly<Record<string, readonly string[]>> = {
  curl: ['-o', '-O', '--output', '--remote-name', '-T', '--upload-file', '-K', '--config'],
  date: ['-s', '--set'],
  diff: ['--output'],
  fd: ['-x', '-X', '--exec', '--exec-batch'],
  file: ['-C', '--compile'],
  find: ['-exec', '-execdir', '-ok', '-okdir', '-delete', '-fprint', '-fprint0', '-fprintf', '-fls'],
  git: ['--output'],
  jq: ['-f', '--from-file'],
  less: ['-o', '-O'],
  man: ['-P', '-H', '--pager', '--html'],
  rg: ['--pre', '--hostname-bin'],
  sed: ['-i', '--in-place', '-f', '--file'],
  sort: ['-o', '--output', '--compress-program', '-T'],
  ssh: ['-o', '-F'],
  tar: ['--to-command', '--checkpoint-action', '-I', '--use-compress-program', '-x', '--extract', '-c', '--create'],
  tree: ['-o'],
  wget: ['-O', '--output-document', '-P', '-i'],
  xxd: ['-r'],
  yq: ['-i', '--inplace'],
  zip: ['-TT', '--unzip-command'],
};

/** Per program: options that carry code. */
export const inlineCodeOptions: Readonly<Record<string, readonly string[]>> = {
  Rscript: ['-e'],
  awk: ['-e', '--source'],
  bash: ['-c'],
  bun: ['-e', '--eval', '-p', '--print'],
  dash: ['-c'],
  fish: ['-c', '--command', '-C', '--init-command'],
  gawk: ['-e', '--source'],
  jsh: ['-c'],
  ksh: ['-c'],
  lua: ['-e'],
  node: ['-e', '--eval', '-p', '--print'],
  osascript: ['-e'],
  perl: ['-e', '-E'],
  php: ['-r', '--run', '-B', '--process-begin', '-R', '--process-code', '-E', '--process-end'],
  powershell: ['-c', '-Command', '-e', '-EncodedCommand'],
  pwsh: ['-c', '-Command', '-e', '-EncodedCommand'],
  python: ['-c'],
  python3: ['-c'],
  ruby: ['-e'],
  sh: ['-c'],
  'ts-node': ['-e', '--eval', '-p', '--print'],
  tsx: ['-e', '--eval', '-p', '--print'],
  zsh: ['-c'],
};

/** Per program: options before the sub-command that take the next word as their value. */
export const globalValueOptions: Readonly<Record<string, readonly string[]>> = {
  aws: ['--profile', '--region', '--output', '--endpoint-url'],
  cargo: ['--config', '-Z', '-C', '--color', '--manifest-path'],
  docker: ['-H', '--host', '--context', '-c', '--config', '-l', '--log-level'],
  gh: ['-R', '--repo', '--hostname'],
  git: ['-C', '-c', '--git-dir', '--work-tree', '--namespace', '--exec-path', '--config-env', '--super-prefix'],
  go: ['-C'],
  helm: ['-n', '--namespace', '--kube-context', '--kubeconfig'],
  kubectl: ['-n', '--namespace', '--context', '--kubeconfig', '--cluster', '--user', '-s', '--server', '--token', '--as'],
  make: ['-C', '-f', '-I'],
  npm: ['--prefix', '-C', '-w', '--workspace', '--userconfig', '--registry'],
  pnpm: ['-C', '--dir', '--filter', '-F'],
  terraform: [],
  yarn: ['--cwd'],
};

/** Programs that run another command. */
export const wrappers: Readonly<Record<string, WrapperKind>> = {
  '.': 'script', bash: '-c', builtin: 'exec', busybox: 'exec', chroot: 'exec-after-1', command: 'exec', dash: '-c', doas: 'exec', env: 'exec',
  eval: 'text', exec: 'exec', flock: 'exec-after-1-or-c', ionice: 'exec', ksh: '-c', nice: 'exec', nohup: 'exec', nsenter: 'opaque',
  parallel: 'text', pkexec: 'exec', script: 'exec-after-1-or-c', setsid: 'exec', sh: '-c', source: 'script', ssh: 'opaque', stdbuf: 'exec', su: '-c',
  sudo: 'exec', time: 'exec', timeout: 'exec-after-1', toybox: 'exec', trap: 'text-1', unshare: 'exec', watch: 'text', xargs: 'exec', zsh: '-c',
};

/** Per wrapper: its own options that take the next word as their value. */
export const wrapperValueOptions: Readonly<Record<string, readonly string[]>> = {
  bash: ['-o', '-O', '--rcfile', '--init-file'],
  chroot: ['--groups', '--userspec', '-u', '-g', '-G'],
  dash: ['-o'],
  doas: ['-u', '-C'],
  env: ['-u', '--unset', '-C', '--chdir'],
  exec: ['-a'],
  flock: ['-w', '--wait', '--timeout', '-E', '--conflict-exit-code'],
  ionice: ['-c', '-n', '-p'],
  ksh: ['-o'],
  nice: ['-n', '--adjustment'],
  parallel: [
    '-j', '--jobs', '-P', '--max-procs', '-n', '--max-args', '-N', '--max-replace-args', '-L', '--max-lines', '-s', '--max-chars', '-a',
    '--arg-file', '-d', '--delimiter', '-C', '--colsep', '-I', '-S', '--sshlogin', '--joblog', '--results', '--tmpdir', '--workdir', '--wd',
    '--timeout', '--retries', '--delay', '--load', '--halt', '--tagstring', '--env', '--return', '--block', '--recstart', '--recend', '--rpl',
  ],
  pkexec: ['--user'],
  script: [
    '-E', '--echo', '-I', '--log-in', '-O', '--log-out', '-B', '--log-io', '-T', '--log-timing', '-m', '--logging-format', '-o', '--output-limit',
  ],
  sh: ['-o'],
  stdbuf: ['-i', '-o', '-e'],
  su: ['-s', '-g', '-G'],
  sudo: ['-u', '--user', '-g', '--group', '-h', '--host', '-p', '--prompt', '-C', '-T', '-U', '-r', '-t', '-D'],
  time: ['-f', '-o'],
  timeout: ['-s', '--signal', '-k', '--kill-after'],
  unshare: [
    '-S', '--setuid', '-G', '--setgid', '-R', '--root', '-w', '--wd', '-l', '--load-interp', '--propagation', '--setgroups', '--map-user',
    '--map-users', '--map-group', '--map-groups', '--monotonic', '--boottime',
  ],
  watch: ['-n', '--interval'],
  xargs: ['-n', '-P', '-I', '-L', '-s', '-d', '-E', '-a', '--max-args', '--max-procs', '--replace', '--delimiter', '--arg-file'],
  zsh: ['-o'],
};
