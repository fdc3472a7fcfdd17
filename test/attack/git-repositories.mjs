// Repositories made by a real git, with what an attacker could plant in them, and a throwaway root in which git runs on
// them. No git outside of that root touches a planted repository.
import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** Reports that it ran, and passes on its input, so that its caller continues. */
export const CANARY = '/canary/run'

const quiet = {
  stdio: ['ignore', 'pipe', 'ignore'],
  env: {
    PATH: process.env['PATH'],
    HOME: '/nonexistent',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_AUTHOR_NAME: 'A',
    GIT_AUTHOR_EMAIL: 'a@example.invalid',
    GIT_COMMITTER_NAME: 'A',
    GIT_COMMITTER_EMAIL: 'a@example.invalid',
  },
}
const git = (cwd, ...args) => execFileSync('git', args, { ...quiet, cwd, encoding: 'utf8' }).trim()

function put(path, text) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

/** Clean repositories to copy from: a plain one, and two with a submodule. */
export function makeRepositories(folder) {
  const plain = join(folder, 'plain')
  mkdirSync(plain)
  git(plain, 'init', '-q', '--template=', '-b', 'main')
  put(join(plain, '.gitattributes'), '* filter=f diff=d merge=m\n')
  put(join(plain, 'a.txt'), 'one\n')
  put(join(plain, 'deep/b.txt'), 'one\n')
  git(plain, 'add', '.')
  git(plain, 'commit', '-qm', 'one')
  put(join(plain, 'a.txt'), 'two\n')
  git(plain, 'commit', '-qam', 'two')
  git(plain, 'tag', '-a', 'v1', '-m', 'v1')
  git(plain, 'branch', 'other')
  git(plain, 'remote', 'add', 'origin', 'https://example.invalid/x.git')
  signHead(plain)
  put(join(plain, 'a.txt'), 'three\n')
  // git does not check a file again unless its times have changed.
  execFileSync('touch', ['-d', '2001-01-01', join(plain, 'deep/b.txt')])

  const embedded = join(folder, 'embedded')
  cpSync(plain, embedded, { recursive: true, preserveTimestamps: true })
  makeSubmodule(join(embedded, 'sub'))
  git(embedded, 'add', 'sub')
  git(embedded, 'commit', '-qm', 'sub')

  const absorbed = join(folder, 'absorbed')
  cpSync(embedded, absorbed, { recursive: true, preserveTimestamps: true })
  put(join(absorbed, '.gitmodules'), '[submodule "sub"]\n\tpath = sub\n\turl = ./sub\n')
  git(absorbed, 'submodule', 'absorbgitdirs')
  return { plain, embedded, absorbed }
}

function makeSubmodule(folder) {
  mkdirSync(folder)
  git(folder, 'init', '-q', '--template=', '-b', 'main')
  put(join(folder, 'c.txt'), 'one\n')
  git(folder, 'add', '.')
  git(folder, 'commit', '-qm', 'one')
}

/** The signature is invalid, but git has it verified anyway. */
function signHead(folder) {
  const commit = git(folder, 'cat-file', 'commit', 'HEAD')
  const signature = '-----BEGIN PGP SIGNATURE-----\n \n iQ==\n -----END PGP SIGNATURE-----'
  const signed = `${commit.replace(/^committer.*$/m, (line) => `${line}\ngpgsig ${signature}`)}\n`
  const input = { ...quiet, cwd: folder, input: signed, encoding: 'utf8', stdio: ['pipe', 'pipe', 'ignore'] }
  const id = execFileSync('git', ['hash-object', '-t', 'commit', '-w', '--stdin'], input).trim()
  git(folder, 'update-ref', 'HEAD', id)
}

/**
 * Copies a repository and plants in it: `config` is added to its configuration, `remote` replaces its remote, `files`
 * are written, `runnable` are scripts, `missing` are objects that are removed.
 */
export function plantRepository(from, to, { config = '', remote, files = {}, runnable = [], missing = [] }) {
  const objects = missing.map((name) => git(from, 'rev-parse', name))
  cpSync(from, to, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true })
  for (const id of objects) unlinkSync(join(to, '.git/objects', id.slice(0, 2), id.slice(2)))
  if (config !== '') {
    const path = join(to, '.git/config')
    const own = readFileSync(path, 'utf8')
    const kept = remote === undefined ? own : own.replace('https://example.invalid/x.git', remote)
    writeFileSync(path, kept + config)
  }
  for (const [path, text] of Object.entries(files)) put(join(to, path), text)
  for (const path of runnable) {
    put(join(to, path), `#!/bin/sh\nexec ${CANARY}\n`)
    chmodSync(join(to, path), 0o755)
  }
}

const setting = (section, ...lines) => `[${section}]\n${lines.map((line) => `\t${line}\n`).join('')}`
const HOSTILE = setting('core', `fsmonitor = ${CANARY}`)
const GPG = setting('gpg', `program = ${CANARY}`)
const SSH = setting('core', `sshCommand = ${CANARY}`)
const ALIAS = setting('alias', `lfs = !${CANARY}`)
const ADDRESS = 'ssh://example.invalid/x'
/** The files that make git treat a folder as a repository. */
const bare = (at, config) => ({
  [`${at}/HEAD`]: 'ref: refs/heads/main\n',
  [`${at}/objects/keep`]: '',
  [`${at}/refs/keep`]: '',
  [`${at}/config`]: config,
})

/**
 * What an attacker could plant, each with a command that then runs the canary. `trigger` is run instead where the
 * command depends on its environment for that.
 */
export const plants = [
  { name: 'core.fsmonitor', config: HOSTILE, command: 'git status' },
  { name: 'a section in capitals', config: `[CORE]\n\tFSMonitor=${CANARY}\n`, command: 'git diff --cached' },
  { name: 'all on one line', config: `[core] fsmonitor = ${CANARY}\n`, command: 'git ls-files' },
  {
    name: 'a value over two lines',
    config: `[core]\n\tfsmonitor = \\\n${CANARY}\n`,
    command: 'git status -s',
  },
  { name: 'a quoted value', config: `[core]\n\tfsmonitor = "${CANARY}" # "\n`, command: 'git status' },
  {
    name: 'lines that end as on Windows',
    config: `[core]\r\n\tfsmonitor = ${CANARY}\r\n`,
    command: 'git status',
  },
  {
    name: 'a value that follows a harmless one',
    config: `${setting('core', 'fsmonitor = false')}${HOSTILE}`,
    command: 'git status',
  },
  {
    name: 'include.path',
    config: setting('include', 'path = ../more'),
    files: { more: HOSTILE },
    command: 'git status',
  },
  {
    name: 'includeIf',
    config: setting('includeIf "onbranch:main"', 'path = ../more'),
    files: { more: HOSTILE },
    command: 'git status',
  },
  {
    name: 'config.worktree',
    config: setting('extensions', 'worktreeConfig = true'),
    files: { '.git/config.worktree': HOSTILE },
    command: 'git status',
  },
  { name: 'diff.external', config: setting('diff', `external = ${CANARY}`), command: 'git diff' },
  {
    name: 'diff.external between commits',
    config: setting('diff', `external = ${CANARY}`),
    command: 'git diff HEAD~1 HEAD',
  },
  { name: 'diff.<driver>.command', config: setting('diff "d"', `command = ${CANARY}`), command: 'git diff' },
  {
    name: 'diff.<driver>.textconv',
    config: setting('diff "d"', `textconv = ${CANARY}`),
    command: 'git log -p',
  },
  {
    name: 'textconv of blame',
    config: setting('diff "d"', `textconv = ${CANARY}`),
    command: 'git blame a.txt',
  },
  {
    name: 'filter.<driver>.clean',
    config: setting('filter "f"', `clean = ${CANARY}`),
    command: 'git status',
  },
  {
    name: 'filter.<driver>.process',
    config: setting('filter "f"', `process = ${CANARY}`),
    command: 'git diff',
  },
  {
    name: 'filter.<driver>.smudge',
    config: setting('filter "f"', `smudge = ${CANARY}`),
    command: 'git archive HEAD',
  },
  {
    name: 'log.showSignature',
    config: `${setting('log', 'showSignature')}${GPG}`,
    command: 'git log --oneline',
  },
  { name: 'format.pretty', config: `${setting('format', 'pretty = %G?')}${GPG}`, command: 'git show' },
  { name: 'a hook on the index', runnable: ['.git/hooks/post-index-change'], command: 'git status' },
  {
    name: 'core.hooksPath',
    config: setting('core', 'hooksPath = .husky'),
    runnable: ['.husky/post-index-change'],
    command: 'git status',
  },
  {
    name: 'a missing object',
    remote: ADDRESS,
    config: `${SSH}${setting('remote "origin"', 'promisor = true')}`,
    missing: ['HEAD:a.txt'],
    command: 'git show HEAD:a.txt',
  },
  {
    name: 'a partial clone',
    remote: ADDRESS,
    config: `${SSH}${setting('core', 'repositoryformatversion = 1')}${setting('extensions', 'partialClone = origin')}`,
    missing: ['HEAD~1'],
    command: 'git rev-list HEAD',
  },
  { name: 'core.sshCommand', remote: ADDRESS, config: SSH, command: 'git ls-remote origin' },
  {
    name: 'a remote that is a program',
    remote: `ext::${CANARY}`,
    config: `${setting('protocol "ext"', 'allow = always')}`,
    command: 'git remote show origin',
  },
  {
    name: 'remote.<name>.uploadpack',
    remote: '.',
    config: setting('remote "origin"', `uploadpack = ${CANARY}`),
    command: 'git ls-remote origin',
  },
  { name: 'an alias', config: ALIAS, command: 'git lfs version' },
  {
    name: 'core.pager',
    config: setting('core', `pager = ${CANARY}`),
    command: 'git log --oneline',
    trigger: "script -qec 'git log --oneline' /dev/null",
  },
  {
    name: 'pager.<command>',
    config: setting('pager', `status = ${CANARY}`),
    command: 'git status',
    trigger: "script -qec 'git status' /dev/null",
  },
  {
    name: 'a submodule',
    base: 'embedded',
    files: { 'sub/.git/config': `${setting('core', 'repositoryformatversion = 0')}${HOSTILE}` },
    command: 'git status',
  },
  {
    name: 'a submodule of a diff',
    base: 'embedded',
    files: { 'sub/.git/config': HOSTILE },
    command: 'git diff',
  },
  {
    name: 'a submodule below .git/modules',
    base: 'absorbed',
    files: { '.git/modules/sub/config': `${setting('core', 'worktree = ../../../sub')}${HOSTILE}` },
    command: 'git status',
  },
  {
    name: 'a folder that is a repository',
    files: bare('deep/x', ALIAS),
    command: 'cd deep/x && git lfs version',
  },
  {
    name: 'the same by -C',
    files: bare('deep/x', ALIAS),
    command: 'git -C deep/x lfs version',
  },
  {
    name: 'a file .git',
    files: { ...bare('far', HOSTILE), 'deep/.git': 'gitdir: ../far\n' },
    command: 'cd deep && git status',
  },
  {
    name: 'a common folder',
    files: {
      ...bare('far', HOSTILE),
      'deep/.git/HEAD': 'ref: refs/heads/main\n',
      'deep/.git/commondir': '../../far\n',
    },
    command: 'git -C deep status',
  },
  { name: 'pushd', files: { ...bare('deep/.git', HOSTILE) }, command: 'pushd deep; git status' },
  {
    name: 'find -execdir',
    files: { ...bare('deep/.git', HOSTILE) },
    command: "find . -name b.txt -execdir git status ';'",
  },
  {
    name: 'a second repository of the same line',
    files: { ...bare('deep/.git', HOSTILE) },
    command: 'git log --oneline; cd deep; git status',
  },
]

const runner = `
list() { find . -path '*/.git/index' -o -path '*/.git' -printf '%p %m\\n' -o -name 'sharedindex*' -o -path '*/sub' -printf '%p %m\\n' -o -path '*/modules/sub' -printf '%p %m\\n' -o -path '*/modules/sub/index' -o -printf '%p %y %s %T@ %m %l\\n' | sort; }
for case in /cases/*; do
  { IFS= read -r repository; text=$(cat); } <"$case"
  rm -rf /play/ground; cp -a "/repositories/$repository" /play/ground; cd /play/ground || exit 1
  before=$(list)
  timeout 3 bash -c "$text" </dev/null >/dev/null 2>&1
  ran=0 changed=0
  [[ -e /mark/hit ]] && { ran=1; rm /mark/hit; }
  [[ $(list) == "$before" ]] || changed=1
  echo "$ran $changed"
done >/results/all
`

function rootArguments() {
  const system = '/usr /bin /sbin /lib /lib64 /etc/alternatives /etc/ld.so.cache /etc/passwd'.split(' ')
  return [
    ...'--unshare-all --die-with-parent --new-session --clearenv --uid 1000 --gid 1000'.split(' '),
    ...system.flatMap((path) => ['--ro-bind-try', path, path]),
    ...'--proc /proc --dev /dev --tmpfs /tmp --tmpfs /mark --tmpfs /play --tmpfs /home'.split(' '),
    ...'--setenv HOME /home --setenv PATH /usr/bin:/bin:/usr/sbin --setenv GIT_CONFIG_NOSYSTEM 1 --chdir /'.split(
      ' ',
    ),
  ]
}

/** Why there can be no throwaway root here, or undefined. */
export function whyNoRoot() {
  if (process.platform !== 'linux') return 'it needs the namespaces of Linux'
  if (spawnSync('git', ['--version']).error) return 'git is not installed'
  const probe = spawnSync('bwrap', [...rootArguments(), '--', 'bash', '-c', ':'])
  if (probe.error) return 'bubblewrap is not installed'
  return probe.status === 0 ? undefined : 'bubblewrap may not make namespaces here'
}

/** Runs each command line in a copy of its repository, without a network, and returns what was observed. */
export function runInRepositories(repositories, cases) {
  const place = join(tmpdir(), `toolcrib-git-root-${process.pid}-${Math.random().toString(36).slice(2)}`)
  const folders = Object.fromEntries(['bin', 'cases', 'results'].map((name) => [name, join(place, name)]))
  try {
    for (const folder of Object.values(folders)) mkdirSync(folder, { recursive: true })
    put(join(folders.bin, 'run'), '#!/bin/sh\n: >/mark/hit\nexec timeout 0.2 cat\n')
    chmodSync(join(folders.bin, 'run'), 0o755)
    put(join(folders.bin, 'runner'), runner)
    cases.forEach(({ repository, command }, index) =>
      put(join(folders.cases, String(index).padStart(5, '0')), `${repository}\n${command}`),
    )
    const binds = [
      ['--ro-bind', folders.bin, '/canary'],
      ['--ro-bind', repositories, '/repositories'],
      ['--ro-bind', folders.cases, '/cases'],
      ['--bind', folders.results, '/results'],
    ]
    execFileSync('bwrap', [...rootArguments(), ...binds.flat(), '--', 'bash', '/canary/runner'], {
      stdio: 'ignore',
    })
    const path = join(folders.results, 'all')
    const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : []
    return cases.map((_, index) => ({
      hasRun: lines[index]?.[0] === '1',
      hasChanged: lines[index]?.[2] === '1',
    }))
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}
