import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Names under which a tool might start an arbitrary program. No proven command starts any of them. */
export const standIns =
  `canary pager less more most lesspipe vi vim nano emacs editor sensible-pager sensible-editor gpg gpg2
  ssh rsh remsh lynx xdg-open sensible-browser compressor askpass openvt ftp scp git-canary sendmail mail lpr`.split(
    /\s+/,
  )

// What a hostile folder may hold: option files, plugins, settings and names that look like options.
const planted = {
  'a.txt': 'alpha\nbeta\ngamma delta\n',
  'b.txt': 'beta\nalpha\n',
  'names.txt': 'a.txt\nb.txt\n',
  'numbers.txt': '1 2 3\n4 5 6\n',
  'data.json': '{"a":[1,2,3],"b":"c"}\n',
  'data.yaml': 'a: 1\nb: [1, 2]\n',
  'script.sh': '#!/bin/sh\n: >/mark/hit\n',
  'program.awk': 'BEGIN { system("canary") }\n',
  'program.bc': '1 + 1\nquit\n',
  opts: '--plugin\n./script.sh\n--output=made\n-o\nmade\n',
  magic: '0 string alpha first letter\n',
  '.ackrc': '--pager=canary\n',
  '.agignore': 'x\n',
  '.rgignore': 'x\n',
  '.ignore': 'x\n',
  '.gitignore': 'x\n',
  '.info': '*.txt\n\ttext\n',
  '.sqliterc': '.shell canary\n',
  '.curlrc': 'output = made\n',
  '.wgetrc': 'output_document = made\n',
  '.psqlrc': '\\! canary\n',
  '.my.cnf': '[client]\npager=canary\n',
  '.digrc': '-f names.txt\n',
  '.bcrc': '1\n',
  '-o': 'x\n',
  '-exec': 'x\n',
  '--output=made': 'x\n',
  "a|e canary;#'.txt": 'alpha\n',
  '$(canary).txt': 'alpha\n',
  'canary|': 'alpha\n',
  'a\ne canary\n.txt': 'alpha\n',
  'a|\ne canary #\n|.txt': 'alpha\n',
  "a'`canary`'.txt": 'alpha\n',
  'sub/c.txt': 'gamma\n',
}

const hostileSchema = `create table t(a); insert into t values ('x');
  create view v as select edit('x', 'canary') as a;
  create view w as select writefile('made', 'x') as a;
  create view s as select load_extension('./plugin') as a;`

// Each case starts with the same files; they are listed before and after it.
const runner = `
exec 2>/dev/null
list() { find . -printf '%p %y %s %T@ %m %l\\n' | LC_ALL=C sort; }
lay_out() { cd /; rm -rf /play/ground; cp -a /files /play/ground; cd /play/ground || exit 1; }
lay_out
untouched=$(list)
for case in /cases/*; do
  rm -f /mark/net
  strace -f -qq -e trace=connect,sendto,sendmsg,sendmmsg -o /mark/net \\
    timeout -k 0.2 "$LIMIT" "$SHELL_NAME" "$case" </dev/null >/dev/null 2>&1
  ran=0 changed=0 connected=0
  [[ -e /mark/hit ]] && { ran=1; rm /mark/hit; }
  grep -E 'sa_family=AF_INET6?,' /mark/net | grep -qvE 'inet_addr\\("(127\\.|0\\.0\\.0\\.0)|AF_INET6, "(::1?)"' && connected=1
  if [[ $(list) != "$untouched" ]]; then changed=1; lay_out; fi
  echo "$ran $changed $connected"
done >/results/all
`

/** Why commands cannot be run safely here, or undefined. */
export function whyNoRoot() {
  if (process.platform !== 'linux') return 'it needs the namespaces of Linux'
  if (spawnSync('strace', ['-V']).error) return 'strace is not installed'
  const probe = spawnSync('bwrap', [...rootArguments(), '--', 'strace', '-f', '-o', '/dev/null', 'true'])
  if (probe.error) return 'bubblewrap is not installed'
  return probe.status === 0 ? undefined : 'bubblewrap may not make namespaces here, or strace may not trace'
}

/**
 * Runs each command line as nobody, in a fresh folder for each, without a network. Returns whether it started a planted
 * program, changed a file of the folder, or tried to reach an address of the internet.
 */
export function runAll(commands, { shell = 'bash', limitSeconds = 0.5 } = {}) {
  if (commands.length === 0) return []
  const place = mkdtempSync(join(tmpdir(), 'toolcrib-flags-'))
  try {
    const [bin, files, cases, results] = ['bin', 'files', 'cases', 'results'].map((name) => join(place, name))
    for (const folder of [bin, files, cases, results]) mkdirSync(folder)
    plantPrograms(bin)
    plantFiles(files)
    commands.forEach((command, index) =>
      writeFileSync(join(cases, String(index).padStart(6, '0')), `${command}\n`),
    )
    const binds = [
      ['--ro-bind', bin, '/canary'],
      ['--ro-bind', files, '/files'],
      ['--ro-bind', cases, '/cases'],
      ['--bind', results, '/results'],
      ['--ro-bind', join(bin, 'utmp'), '/run/utmp'],
      ['--ro-bind', join(bin, 'resolv.conf'), '/etc/resolv.conf'],
      ['--setenv', 'SHELL_NAME', shell],
      ['--setenv', 'LIMIT', String(limitSeconds)],
    ].flat()
    execFileSync('bwrap', [...rootArguments(), ...binds, '--', 'bash', '/canary/runner'], { stdio: 'ignore' })
    const lines = readFileSync(join(results, 'all'), 'utf8').trimEnd().split('\n')
    return lines.map((line) => ({
      hasRun: line[0] === '1',
      hasChanged: line[2] === '1',
      hasConnected: line[4] === '1',
    }))
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

function rootArguments() {
  const system =
    '/usr /bin /sbin /lib /lib64 /etc/alternatives /etc/ld.so.cache /etc/passwd /etc/group /etc/services'
  const runnable = ['PAGER', 'EDITOR', 'VISUAL', 'BROWSER', 'LESSOPEN', 'MANPAGER']
  return [
    ...'--unshare-all --unshare-user --uid 65534 --gid 65534 --cap-drop ALL'.split(' '),
    ...'--die-with-parent --new-session --clearenv'.split(' '),
    ...system.split(' ').flatMap((path) => ['--ro-bind-try', path, path]),
    ...'--proc /proc --dev /dev --tmpfs /tmp --tmpfs /mark --tmpfs /play --tmpfs /home --dir /run'.split(' '),
    ...'--symlink /run /var/run --setenv HOME /home --setenv PATH /canary:/usr/bin:/bin:/usr/sbin:/sbin'.split(
      ' ',
    ),
    ...'--chdir /'.split(' '),
    ...runnable.flatMap((name) => ['--setenv', name, 'canary']),
  ]
}

function plantPrograms(bin) {
  for (const name of standIns) {
    writeFileSync(join(bin, name), '#!/bin/sh\n: >/mark/hit\n')
    chmodSync(join(bin, name), 0o755)
  }
  writeFileSync(join(bin, 'runner'), runner)
  writeFileSync(join(bin, 'utmp'), utmpRecord())
  // A name server that is not this machine, so that queries to it can be distinguished from local traffic.
  writeFileSync(join(bin, 'resolv.conf'), 'nameserver 192.0.2.53\n')
}

/** One login from an address, for programs that look up names of logged-in users. */
function utmpRecord() {
  const record = Buffer.alloc(384)
  record.writeInt16LE(7, 0)
  record.writeInt32LE(1, 4)
  record.write('pts/0', 8)
  record.write('root', 44)
  record.write('192.0.2.7', 76)
  record.set([192, 0, 2, 7], 348)
  return record
}

function plantFiles(folder) {
  mkdirSync(join(folder, 'sub'))
  for (const [name, text] of Object.entries(planted)) writeFileSync(join(folder, name), text)
  chmodSync(join(folder, 'script.sh'), 0o755)
  const quiet = { cwd: folder, stdio: 'ignore' }
  const make = (program, ...args) => spawnSync(program, args, quiet)
  make('tar', '-cf', 'archive.tar', 'a.txt', 'b.txt')
  writeFileSync(join(folder, 'packed'), 'alpha\n')
  make('gzip', '-k', 'packed')
  make('bzip2', '-k', 'packed')
  make('xz', '-k', 'packed')
  make('zstd', '-q', 'packed')
  rmSync(join(folder, 'packed'))
  make('zip', '-q', 'archive.zip', 'a.txt', 'b.txt')
  make('7z', 'a', 'archive.7z', 'a.txt')
  make('cp', '/bin/true', 'program')
  make('sqlite3', 'hostile.db', hostileSchema)
}
