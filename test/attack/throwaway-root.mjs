// A throwaway root for hostile commands: an unprivileged user, no network, nothing of this machine but its programs,
// read-only. All changes of a command are discarded with it.
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const NOBODY = '65534'

// Names under which a tool might start an arbitrary program. No proven command starts any of them.
const STAND_INS =
  `canary pager less more most vi vim nano emacs editor sensible-pager sensible-editor man gpg gpg2 ssh rsh lynx
    xdg-open sensible-browser compressor pre hostname-bin diff-tool askpass textconv filter`.split(/\s+/)

// Every case starts with these. Many names are options of some command, for a glob to find.
const PLANTED = {
  'a.txt': 'alpha\nbeta\ngamma delta\n',
  'b.txt': 'beta\nalpha\n',
  'names.txt': 'a.txt\nb.txt\n-exec\n',
  'commands.txt': 'canary\n$(canary)\n',
  'data.json': '{"a":[1,2,3]}\n',
  'script.sh': 'canary\n',
  'program.awk': 'BEGIN { system("canary") }\n',
  'program.sed': '1e canary\n',
  'sub/c.txt': 'gamma\n',
  '-exec': 'x\n',
  '-delete': 'x\n',
  '-i': 'x\n',
  '-o': 'x\n',
  '-rf': 'x\n',
  '-f': 'x\n',
  '--output=made': 'x\n',
  '--compress-program=canary': 'x\n',
  '--checkpoint=1': 'x\n',
  '--checkpoint-action=exec=canary': 'x\n',
  '$(canary)': 'x\n',
  '`canary`': 'x\n',
  ';canary': 'x\n',
}

// Variables of the shell's parent process. Evaluating one of them as more than text runs the canary.
const VARIABLES = {
  PAGER: 'canary',
  GIT_PAGER: 'canary',
  EDITOR: 'canary',
  VISUAL: 'canary',
  BROWSER: 'canary',
  PS4: '$(canary)',
  h: 'a[$(canary)]',
  t: '$(canary)',
  n: 'h',
}

// Each case starts with the same files; they are listed before and after it. git may refresh the cached file times in
// its index, which does not count as a change. Cases run in rows, and a row that changed something runs again one by
// one.
const RUNNER = `
shopt -s nullglob
list() { find . -path ./.git/index -o -path ./.git -printf '%p %m\\n' -o -printf '%p %y %s %T@ %m %l\\n' | sort; }
lay_out() { cd /; rm -rf /play/ground; cp -a /files /play/ground; cd /play/ground || exit 1; }
# What a command leaves in the background may start the canary later, on a busy machine in the time of the next case.
settle() {
  local all turn
  for ((turn = 0; turn < 200; turn++)); do
    all=(/proc/[0-9]*)
    ((\${#all[@]} <= alone)) && return
    sleep 0.01
  done
}
all=(/proc/[0-9]*)
alone=\${#all[@]}
run() {
  local text
  IFS= read -r -d '' text <"$1"
  timeout 2 "$SHELL_TO_RUN" -c "$text" </dev/null >/dev/null 2>&1
  settle
  ran=0
  [[ -e /mark/hit ]] && { ran=1; rm /mark/hit; }
}
lay_out
untouched=$(list)
cases=(/cases/*)
for ((row = 0; row < \${#cases[@]}; row += ROW)); do
  results=()
  for case in "\${cases[@]:row:ROW}"; do
    run "$case"
    results+=("$ran 0")
  done
  if [[ $(list) != "$untouched" ]]; then
    lay_out
    results=()
    for case in "\${cases[@]:row:ROW}"; do
      run "$case"
      if [[ $(list) == "$untouched" ]]; then results+=("$ran 0"); else results+=("$ran 1"); lay_out; fi
    done
  fi
  printf '%s\\n' "\${results[@]}"
done >/results/all
`

/** Why there can be no throwaway root here, or undefined. */
export function whyNoRoot() {
  if (process.platform !== 'linux') return 'it needs the namespaces of Linux'
  if (spawnSync('git', ['--version']).error) return 'git is not installed'
  const [program, ...args] = [...asNobody(), 'bwrap', ...rootArguments(), '--', 'bash', '-c', ':']
  const probe = spawnSync(program, args)
  if (probe.error) return 'bubblewrap is not installed'
  return probe.status === 0 ? undefined : 'bubblewrap may not make namespaces here'
}

// These must be observed; otherwise the observations mean nothing.
const CONTROLS = [
  ['canary', { hasRun: true, hasChanged: false }],
  ['echo x >made', { hasRun: false, hasChanged: true }],
  ['ls', { hasRun: false, hasChanged: false }],
]

/** Runs each command line in a separate shell and returns whether it ran the canary and whether it changed a file. */
export function runAll(commands, options = {}) {
  if (commands.length === 0) return []
  const seen = runInRoot([...commands, ...CONTROLS.map(([command]) => command)], options)
  const controls = seen.splice(commands.length)
  if (JSON.stringify(controls) !== JSON.stringify(CONTROLS.map(([, expected]) => expected)))
    throw new Error(`The root does not show what commands do: ${JSON.stringify(controls)}`)
  return seen
}

function runInRoot(commands, { shell = 'bash', row = 25 }) {
  const place = mkdtempSync(join(tmpdir(), 'toolcrib-canary-'))
  chmodSync(place, 0o755)
  try {
    const folders = Object.fromEntries(
      ['bin', 'files', 'cases', 'results'].map((name) => [name, join(place, name)]),
    )
    for (const folder of Object.values(folders)) mkdirSync(folder)
    chmodSync(folders.results, 0o777)
    for (const name of STAND_INS) {
      writeFileSync(join(folders.bin, name), '#!/bin/sh\n: >/mark/hit\n')
      chmodSync(join(folders.bin, name), 0o755)
    }
    writeFileSync(join(folders.bin, 'runner'), RUNNER)
    plantFiles(folders.files)
    commands.forEach((command, index) =>
      writeFileSync(join(folders.cases, String(index).padStart(6, '0')), command),
    )
    const binds = [
      ['--ro-bind', folders.bin, '/canary'],
      ['--ro-bind', folders.files, '/files'],
      ['--ro-bind', folders.cases, '/cases'],
      ['--bind', folders.results, '/results'],
      ['--setenv', 'SHELL_TO_RUN', shell],
      ['--setenv', 'ROW', String(row)],
    ]
    const all = [...asNobody(), 'bwrap', ...rootArguments(), ...binds.flat(), '--', 'bash', '/canary/runner']
    execFileSync(all[0], all.slice(1), { stdio: 'ignore' })
    const lines = readFileSync(join(folders.results, 'all'), 'utf8').trimEnd().split('\n')
    return lines.map((line) => ({ hasRun: line[0] === '1', hasChanged: line[2] === '1' }))
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

function asNobody() {
  if (process.getuid() !== 0) return []
  return ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups']
}

function rootArguments() {
  const system = '/usr /bin /sbin /lib /lib64 /etc/alternatives /etc/ld.so.cache /etc/passwd'.split(' ')
  return [
    ...'--unshare-all --die-with-parent --new-session --clearenv'.split(' '),
    ...system.flatMap((path) => ['--ro-bind-try', path, path]),
    ...'--proc /proc --dev /dev --tmpfs /tmp --tmpfs /mark --tmpfs /play --tmpfs /home'.split(' '),
    ...'--setenv HOME /home --setenv PATH /canary:/usr/bin:/bin:/usr/sbin --chdir /'.split(' '),
    ...Object.entries(VARIABLES).flatMap(([name, value]) => ['--setenv', name, value]),
  ]
}

function plantFiles(folder) {
  mkdirSync(join(folder, 'sub'))
  for (const [name, text] of Object.entries(PLANTED)) writeFileSync(join(folder, name), text)
  const quiet = { cwd: folder, stdio: 'ignore' }
  execFileSync('tar', ['-cf', 'archive.tar', 'a.txt', 'b.txt'], quiet)
  execFileSync('gzip', ['-k', 'b.txt'], quiet)
  const who = ['-c', 'user.name=Canary', '-c', 'user.email=canary@example.invalid']
  execFileSync('git', ['init', '--quiet', '--template=', '--initial-branch=main'], quiet)
  execFileSync('git', [...who, 'add', 'a.txt', 'b.txt', 'sub'], quiet)
  execFileSync('git', [...who, 'commit', '--quiet', '--no-gpg-sign', '-m', 'first'], quiet)
}
