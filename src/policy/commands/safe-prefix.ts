import type { SubCommand } from '../../shell/shell-reading.js'

/** Programs that run their arguments: a rule that starts with one of them would allow everything. */
const OPEN_ENDED = new Set(
  `bash sh dash zsh ksh fish csh tcsh busybox env sudo doas su exec eval command builtin source . xargs parallel
  find fd ssh scp rsync nohup nice timeout time watch strace ltrace gdb script expect screen tmux at batch crontab
  python python2 python3 pypy node nodejs deno bun bunx npx pnpx tsx ts-node perl ruby irb php lua R Rscript julia
  osascript powershell pwsh java jshell scala groovy awk gawk mawk sed ed ex vi vim emacs nano less more man
  docker podman kubectl nsenter chroot unshare bwrap systemd-run make cmake ninja ant gradle mvn rake just task
  curl wget nc ncat socat telnet ftp psql mysql sqlite3 mongo redis-cli aws gcloud az terraform ansible`.split(
    /\s+/,
  ),
)

/** Sub-commands that run other programs or change what later commands do. */
const OPEN_ENDED_SECOND = new Set([
  'run',
  'exec',
  'x',
  'dlx',
  'node',
  'shell',
  'config',
  'alias',
  'submodule',
  'bisect',
  'filter-branch',
])

/** Programs that run a named script of the project: the script's name is part of the command. */
const SCRIPT_RUNNERS = new Set(['npm', 'pnpm', 'yarn'])

export function isOpenEnded(words: readonly string[]): boolean {
  const program = (words[0] ?? '').split('/').at(-1)!
  // `python3.12` is `python`.
  const bare = program.replace(/-?\d[\d.]*$/, '').replace(/\.exe$/i, '')
  if (program === '' || OPEN_ENDED.has(program) || OPEN_ENDED.has(bare)) return true
  const second = words[1]
  if (second === undefined || !OPEN_ENDED_SECOND.has(second)) return false
  return !(SCRIPT_RUNNERS.has(program) && second === 'run' && words[2] !== undefined && isPlainWord(words[2]))
}

/** Two words that fully say what the command does, independent of further words. */
const CLOSED: Readonly<Record<string, readonly string[]>> = {
  git: [
    'add',
    'commit',
    'push',
    'pull',
    'fetch',
    'switch',
    'merge',
    'branch',
    'tag',
    'restore',
    'stash',
    'status',
    'diff',
    'show',
    'log',
  ],
  npm: ['test', 'ls', 'outdated', 'view', 'version'],
  pnpm: ['test', 'ls', 'outdated', 'view'],
  yarn: ['test', 'outdated', 'info'],
  cargo: ['test', 'build', 'check', 'clippy', 'fmt'],
  go: ['test', 'build', 'vet', 'fmt'],
  systemctl: ['status', 'restart', 'start', 'stop'],
}

/** The start of the command that says what it does, followed by `:*`; the whole command where no such start is known. */
export function prefixOf({ words, text }: SubCommand): string {
  const [program = '', second, third] = words
  if (second === undefined || !isPlainWord(second)) return text
  if (SCRIPT_RUNNERS.has(program) && second === 'run')
    return third === undefined ? text : `${program} run ${third}:*`
  return Object.hasOwn(CLOSED, program) && CLOSED[program]!.includes(second) ? `${program} ${second}:*` : text
}

function isPlainWord(word: string): boolean {
  return /^[A-Za-z0-9][\w.:-]*$/.test(word)
}
