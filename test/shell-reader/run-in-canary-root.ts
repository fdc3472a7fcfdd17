import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What was seen of one command line after a real shell had run it. */
export interface Sighting {
  /** The canary was started, under any of its names. */
  readonly hasRun: boolean
  /** A file in the working directory was made, changed or removed. */
  readonly hasChanged: boolean
}

// Names under which a tool might start a program of somebody's choice. No proven command starts any of them.
const standIns =
  `canary pager less more most vi vim nano emacs editor sensible-pager sensible-editor man gpg gpg2 ssh rsh lynx
    xdg-open sensible-browser compressor pre hostname-bin diff-tool askpass textconv filter`.split(/\s+/)

// Every case starts with these. Many names are options of some command, for a glob to find.
const planted: Readonly<Record<string, string>> = {
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

// Each case finds the same files; what they are is listed before and after it. git may write down anew what it remembers
// of the times of files, in its index, which is no change to anybody else.
const runner = `
shopt -s nullglob
list() { find . -path ./.git/index -o -path ./.git -printf '%p %m\\n' -o -printf '%p %y %s %T@ %m %l\\n'; }
lay_out() { cd /; rm -rf /play/ground; cp -a /files /play/ground; cd /play/ground || exit 1; }
lay_out
untouched=$(list)
for case in /cases/*; do
  text=$(<"$case")
  timeout 2 bash -c "$text" </dev/null >/dev/null 2>&1
  [[ $text == *'&'* ]] && sleep 0.1
  ran=0 changed=0
  [[ -e /mark/hit ]] && { ran=1; rm /mark/hit; }
  now=$(list)
  if [[ $now != "$untouched" ]]; then
    [[ $(sort <<< "$now") == $(sort <<< "$untouched") ]] || changed=1
    lay_out
  fi
  echo "$ran $changed"
done >/results/all
`

/** Why there can be no throwaway root here, or undefined. */
export function whyNoRoot(): string | undefined {
  if (process.platform !== 'linux') return 'it needs the namespaces of Linux'
  if (spawnSync('git', ['--version']).error) return 'git is not installed'
  const probe = spawnSync('bwrap', [...rootArguments(), '--', 'bash', '-c', ':'])
  if (probe.error) return 'bubblewrap is not installed'
  return probe.status === 0 ? undefined : 'bubblewrap may not make namespaces here'
}

/** Runs each command line in a root of its own making, without network, and tells what it did. */
export function runInCanaryRoot(commands: readonly string[]): readonly Sighting[] {
  const place = mkdtempSync(join(tmpdir(), 'toolcrib-canary-'))
  try {
    const folders = Object.fromEntries(
      ['bin', 'files', 'cases', 'results'].map((name) => [name, join(place, name)]),
    ) as Record<'bin' | 'files' | 'cases' | 'results', string>
    for (const folder of Object.values(folders)) mkdirSync(folder)
    for (const name of standIns) {
      writeFileSync(join(folders.bin, name), '#!/bin/sh\n: >/mark/hit\n')
      chmodSync(join(folders.bin, name), 0o755)
    }
    writeFileSync(join(folders.bin, 'runner'), runner)
    plantFiles(folders.files)
    commands.forEach((command, index) =>
      writeFileSync(join(folders.cases, String(index).padStart(5, '0')), command),
    )
    const { bin, files, cases, results } = folders
    const binds = [
      ['--ro-bind', bin, '/canary'],
      ['--ro-bind', files, '/files'],
      ['--ro-bind', cases, '/cases'],
      ['--bind', results, '/results'],
    ]
    const all = [...rootArguments(), ...binds.flat(), '--', 'bash', '/canary/runner']
    execFileSync('bwrap', all, { stdio: 'ignore' })
    const lines = readFileSync(join(folders.results, 'all'), 'utf8').trimEnd().split('\n')
    return lines.map((line) => ({ hasRun: line[0] === '1', hasChanged: line[2] === '1' }))
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

function rootArguments(): string[] {
  const system = '/usr /bin /sbin /lib /lib64 /etc/alternatives /etc/ld.so.cache /etc/passwd'.split(' ')
  const runnable = ['PAGER', 'GIT_PAGER', 'EDITOR', 'VISUAL', 'BROWSER']
  return [
    ...'--unshare-all --die-with-parent --new-session --clearenv'.split(' '),
    ...system.flatMap((path) => ['--ro-bind-try', path, path]),
    ...'--proc /proc --dev /dev --tmpfs /tmp --tmpfs /mark --tmpfs /play --tmpfs /home'.split(' '),
    ...'--setenv HOME /home --setenv PATH /canary:/usr/bin:/bin:/usr/sbin --chdir /'.split(' '),
    ...runnable.flatMap((name) => ['--setenv', name, 'canary']),
  ]
}

function plantFiles(folder: string): void {
  mkdirSync(join(folder, 'sub'))
  for (const [name, text] of Object.entries(planted)) writeFileSync(join(folder, name), text)
  const quiet = { cwd: folder, stdio: 'ignore' } as const
  execFileSync('tar', ['-cf', 'archive.tar', 'a.txt', 'b.txt'], quiet)
  execFileSync('gzip', ['-k', 'b.txt'], quiet)
  const who = ['-c', 'user.name=Canary', '-c', 'user.email=canary@example.invalid']
  execFileSync('git', ['init', '--quiet', '--template=', '--initial-branch=main'], quiet)
  execFileSync('git', [...who, 'add', 'a.txt', 'b.txt', 'sub'], quiet)
  execFileSync('git', [...who, 'commit', '--quiet', '--no-gpg-sign', '-m', 'first'], quiet)
}
