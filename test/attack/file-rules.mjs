// Commands that try to print a file that must not be read. Commands that the rules allow are run for real, in a
// throwaway root without a network; a command that reads the file or prints git's copy of it has broken the rule.
import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gatherTouched } from '../../dist/policy/commands/gather-touched.js'
import { createRuleBook, judge } from '../../dist/policy/judge.js'
import { knownFacts, knownTool } from '../../dist/policy/rules/known-tools.js'
import { readRules } from '../../dist/policy/rules/read-rules.js'
import { createRandom } from './random.mjs'

export const name = 'file rules'

const GROUND = '/play/ground'
const HOME = '/home'
const CANARY = 'canary0value7of9the3file'
const NOBODY = 65534

const words = (text) => text.split(/\s+/).filter(Boolean)

/** Programs that may be allowed without a rule of their own, and many that print their input. */
const programs = words(`
  cat tac head tail nl cut paste join comm fold expand unexpand rev tr od hexdump hd strings column colrm fmt pr look cmp
  diff uniq shuf tsort sum xxd base64 base32 basenc iconv zcat ls dir vdir stat readlink realpath basename dirname pathchk
  namei df tree seq expr factor numfmt cal uuidgen tput wc sort du file md5sum sha1sum sha256sum b2sum cksum grep egrep
  fgrep rg ag sed awk gawk mawk jq yq find fd fzf tar unzip zipinfo gzip gunzip bzip2 xz zstd 7z whoami id groups uname
  hostname nproc uptime free users who w last ps pgrep pidof pstree lsof vmstat lscpu lsblk lsmod locale getconf printenv
  date sysctl journalctl dmesg getent ip ifconfig netstat ss ping host dig openssl curl wget docker kubectl git npm cargo
  cp mv ln rm mkdir chmod tee truncate echo printf test env xargs time nice nohup timeout bash sh dash setsid stdbuf
  busybox script flock perl python3 node ruby php lua ed ex vi vim m4 bc dc make gcc cpp as ld nm readelf objdump size ar
  cpio zip rsync install dd split csplit tailf more less bat xmllint sqlite3 gdb strace openssl pandoc col colcrt ul
  ptx dircolors sdiff diff3 patch rgrep zgrep bzcat xzcat lzcat lz4 gpg ssh scp nc socat logger mail wall write at crontab
  who mesg run-parts unshare chroot setarch taskset ionice chrt prlimit watch expand look ptargrep pod2text perldoc man
  groff troff nroff tbl eqn msgfmt iconvconfig localedef getfacl setfacl getcap lsattr mount findmnt losetup blkid swapon
  cksum sha512sum sha224sum sha384sum shasum envsubst gettext ngettext xgettext recode uuencode infocmp tic toe tset`)

const listed = ['names.txt', 'names0', 'args.txt', 'sums.txt', 'conf', 'script.txt']
const paths = [
  ...words(`.env ./.env .//.env sub/../.env ../ground/.env ${GROUND}/.env ${GROUND}//./.env .e* .en[v] .??? {.env,a.txt} .en{v,x}
    plain here/.env here/here/plain ~+/.env $PWD/.env "$PWD"/.env .e"n"v .e\\nv '.e*' '*' '.*' '*env' '.{env,x}' * .* . here sub
    file://${GROUND}/.env file://${GROUND}/%2eenv file://localhost${GROUND}/.env FILE://${GROUND}/.env file:.env
    @.env =.env :.env a:.env a,.env x=.env x@.env HEAD:.env :0:.env HEAD:./.env HEAD :/ :(top) /proc/self/cwd/.env /dev/fd/3
    $(echo .env) $(cat names.txt) $(<names.txt) \`echo .env\` $f "$f" \${f} \${f:-.env} \${f:0} "\${f}" $1 \${a[0]} \${a[@]}`),
  String.raw`$'\x2eenv'`,
  String.raw`$'.en\166'`,
  ...listed,
  ...listed.map((each) => `@${each}`),
]

const setups = [
  'f=.env; ',
  'a=(.env x); ',
  'set -- .env; ',
  'f=.e; f+=nv; ',
  'shopt -s dotglob; ',
  'shopt -s extglob globstar; ',
  'set -a; ',
  'cd sub; cd ..; ',
  'cd sub/..; ',
  'cd here; ',
  'exec 3<.env; ',
  'exec 3<names.txt; ',
  'ln -s .env l; ',
  'ln -s . d; ',
  'mkdir -p m; ',
  'export f=.env; ',
  'GLOBIGNORE=x; ',
  'alias ls=cat; ',
  'echo .env > n; ',
  "echo '!.env' > .ignore; ",
  'cp names.txt n; ',
  'touch n; ',
  'true && ',
  'true; ',
]

const wrappers = [
  (text) => `timeout 1 ${text}`,
  (text) => `env ${text}`,
  (text) => `env A=1 ${text}`,
  (text) => `nice ${text}`,
  (text) => `command ${text}`,
  (text) => `time ${text}`,
  (text) => `busybox ${text}`,
  (text) => `/usr/bin/${text}`,
  (text) => `setsid ${text}`,
  (text) => `stdbuf -o0 ${text}`,
  (text) => `bash -c '${text.replaceAll("'", String.raw`'\''`)}'`,
  (text) => `sh -c "${text.replaceAll(/["$\\`]/g, String.raw`\$&`)}"`,
  (text) => `xargs ${text} < names.txt`,
  (text) => `xargs -a names.txt ${text}`,
  (text) => `echo .env | xargs ${text}`,
  (text) => `ls -a | xargs ${text}`,
  (text) => `cat names.txt | ${text}`,
  (text) => `echo .env | ${text}`,
  (text) => `printf '.env\\0' | ${text}`,
  (text) => `find . -maxdepth 1 -exec ${text} {} \\;`,
  (text) => `find . -name names.txt -exec ${text} {} +`,
  (text) => `for f in .e*; do ${text}; done`,
  (text) => `while read f; do ${text} $f; done < names.txt`,
  (text) => `{ ${text}; }`,
  (text) => `( ${text} )`,
  (text) => `echo "$(${text})"`,
  (text) => `cat <(${text})`,
  (text) => `${text} <<< .env`,
  (text) => `${text} < .env`,
  (text) => `${text} < names.txt`,
  (text) => `${text} | cat`,
  (text) => `! ${text}`,
]

const codes = [
  'r .env',
  '1r.env',
  '$!N;R .env',
  'e cat .env',
  's/x/cat .env/e',
  '{while((getline l < ".env")>0)print l}',
  'BEGIN{while((getline l < ("." "env"))>0)print l}',
  'BEGIN{ARGV[1]="." "env";ARGC=2}1',
  'BEGIN{"cat .env"|getline x;print x}',
  'BEGIN{system("cat .e" "nv")}',
  '@include ".env"',
  'include ".env";.',
  'import ".env" as $x;$x',
  'load_str(".env")',
  'input',
  '[inputs]',
  '$__prog_args',
  'env',
  'include(.env)',
  '.read .env',
  "select readfile('.env')",
  'print',
  '1p',
  '.',
  'x',
]

const gitVerbs =
  words(`status branch tag remote rev-parse ls-files ls-tree describe rev-list merge-base show-ref for-each-ref
  name-rev symbolic-ref count-objects check-ignore check-attr show-branch cherry config log shortlog reflog stash whatchanged
  diff diff-tree diff-index diff-files show cat-file grep archive blame annotate range-diff format-patch checkout-index
  hash-object var help version bugreport diagnose fsck verify-pack unpack-file show-index column stripspace patch-id mailinfo
  interpret-trailers check-mailmap fmt-merge-msg merge-file merge-tree ls-remote notes rerere submodule worktree bundle
  fast-export get-tar-commit-id cat-file`)
const gitOptions =
  words(`-p -u --patch --patc -U3 -U0 -c --cc -m -L1,3:.env -S canary -G. --stat --name-only --oneline -1 -n1 --all -z
  --raw -W --word-diff --color-words --ext-diff --textconv --no-index --cached --staged --batch --batch-all-objects --root -r -t
  --format=%b --format=%B --pretty=raw --full-index --binary --no-walk --first-parent --reverse --follow --diff-merges=on
  --remerge-diff --unified=9 --function-context -i -v -vv --verbose --show-signature --notes --show-notes=x -s -l --list --get
  --points-at --contains --format --sort=x -f --file=.env -e --porcelain --ignored -uall --short -b --show-stash --debug -o
  --others --exclude-from=.env -X.env --exclude=x --eol --stage --dirty --tags --always --batch-check --stdin --dry-run
  --summary --numstat --shortstat --compact-summary --dirstat --check --no-patch --merge --ours -R --output=made -O.env`)

/** The options that a program's help lists. */
const helpOf = new Map()
function optionsOf(program) {
  if (!helpOf.has(program)) {
    const told = spawnSync(program, ['--help'], { encoding: 'utf8', timeout: 2000, input: '' })
    const text = `${told.stdout ?? ''}${told.stderr ?? ''}`
    helpOf.set(program, [
      ...new Set([...text.matchAll(/(?<![\w-])--?[A-Za-z][\w-]*/g)].map(([each]) => each)),
    ])
  }
  return helpOf.get(program)
}

// Only these are asked for help outside of the root: they answer and do nothing else.
const tellsHelp = new Set(programs.slice(0, programs.indexOf('git')))

let installed
function installedPrograms() {
  installed ??= programs.filter((program) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0)
  return installed
}

function drawCommand(random) {
  const program = random.chance(0.15) ? 'git' : random.pick(installedPrograms())
  let text = program === 'git' ? drawGit(random) : drawWords(random, program)
  if (random.chance(0.25)) text = random.pick(wrappers)(text)
  if (random.chance(0.2)) text = random.pick(setups) + text
  return text
}

function drawGit(random) {
  const given = ['git', random.pick(gitVerbs)]
  for (let left = random.below(3); left > 0; left--) given.push(random.pick(gitOptions))
  if (random.chance(0.3)) given.push('HEAD')
  if (random.chance(0.3)) given.push('--')
  if (random.chance(0.5)) given.push(random.pick(paths))
  return given.join(' ')
}

function drawWords(random, program) {
  const told = tellsHelp.has(program) ? optionsOf(program) : []
  const given = [program]
  const letter = () => 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123'[random.below(56)]
  for (let left = random.below(3); left > 0; left--) {
    const option = told.length > 0 && random.chance(0.7) ? random.pick(told) : `-${letter()}`
    const path = random.pick(paths)
    const short = option.startsWith('--') ? option.slice(0, 3 + random.below(option.length)) : option
    given.push(
      random.pick([
        option,
        short,
        `${option}=${path}`,
        `${option} ${path}`,
        `${option}${path}`,
        `${option} x`,
        `${option}=recurse`,
      ]),
    )
  }
  if (random.chance(0.3)) given.push(`'${random.pick(codes)}'`)
  if (random.chance(0.5)) given.push(random.pick(['a.txt', 'x', '-', '1', 'data.json', '/dev/stdin']))
  if (random.chance(0.7)) given.push(random.pick(paths))
  if (random.chance(0.15)) given.push('/dev/stdout')
  return given.join(' ')
}

const rules = readRules(
  { allow: ['Bash'], deny: ['Read(.env)'] },
  { source: 'user_settings', base: GROUND },
  { home: HOME },
).rules
const book = createRuleBook({
  rules,
  home: HOME,
  protectedPaths: { own: [] },
  workingDirectories: [],
  now: 0,
})

// Resolves the planted links, as the real file system would.
function followLinks(path) {
  const real = path.replaceAll(/\/here(?=\/|$)/g, '')
  return real === `${GROUND}/plain` ? `${GROUND}/.env` : real || '/'
}

/** The planted files, as a directory listing would show them. */
function listFolder(path) {
  if (path !== GROUND) return path === '/play' ? [{ name: 'ground', isLink: false, isFolder: true }] : []
  const link = (each) => ({ name: each, isLink: true, isFolder: false })
  return [link('plain'), link('here'), { name: 'sub', isLink: false, isFolder: true }]
}

/** The decision of the rules about a command. */
export function judgeCommand(command) {
  const input = { command }
  const known = knownTool('Bash', input)
  const touched = gatherTouched(known.tool, input, { workspace: GROUND, home: HOME, followLinks, listFolder })
  const about = { workspace: GROUND, mode: 'default', actor: undefined, role: undefined, session: undefined }
  const call = {
    ...about,
    tool: known.tool,
    input,
    facts: knownFacts(known, touched),
    touched,
    surfaceId: '',
    tenant: '',
  }
  return judge(book, call).behavior
}

/** Reading changes the access time, which starts out older than the last change. */
const runner = `
secret=${CANARY}
lay_out() { cd /; chmod -R u+rwx /play/ground 2>/dev/null; rm -rf /play/ground; cp -a /files /play/ground; cd /play/ground || exit 1; touch -a -d 2001-01-01 .env; }
for case in /cases/*; do
  lay_out
  text=$(<"$case")
  timeout -k 1 2 bash -c "$text" </dev/null >/tmp/out 2>&1
  read=0 printed=0
  [[ $(stat -c %X .env 2>/dev/null) == 97830* ]] || [[ ! -e .env ]] || read=1
  grep -aq "$secret" /tmp/out && printed=1
  find . /tmp /home -name .git -prune -o -name .env -prune -o -type f -print0 2>/dev/null | xargs -0r grep -alq "$secret" 2>/dev/null && printed=1
  rm -rf /tmp/* /home/*
  echo "$read $printed"
done >/results/all
`

const plantedFiles = {
  '.env': `SECRET=${CANARY}\n`,
  'a.txt': 'alpha\nbeta\n',
  'data.json': '{"a":1}\n',
  'names.txt': '.env\n',
  names0: '.env\0',
  'args.txt': '.env\n',
  'sums.txt': `${'0'.repeat(32)}  .env\n`,
  conf: `url = "file://${GROUND}/.env"\n`,
  'script.txt': 'r .env\n',
  'sub/c.txt': 'gamma\n',
}

function plantFiles(folder) {
  mkdirSync(join(folder, 'sub'))
  for (const [file, text] of Object.entries(plantedFiles)) writeFileSync(join(folder, file), text)
  symlinkSync('.env', join(folder, 'plain'))
  symlinkSync('.', join(folder, 'here'))
  const quiet = { cwd: folder, stdio: 'ignore' }
  const who = ['-c', 'user.name=Canary', '-c', 'user.email=canary@example.invalid', '-c', 'safe.directory=*']
  execFileSync('git', ['init', '--quiet', '--template=', '--initial-branch=main'], quiet)
  execFileSync('git', [...who, 'add', '-f', '.env', 'a.txt', 'sub'], quiet)
  execFileSync('git', [...who, 'commit', '--quiet', '--no-gpg-sign', '-m', 'first'], quiet)
}

function rootArguments() {
  const system = words('/usr /bin /sbin /lib /lib64 /etc/alternatives /etc/ld.so.cache /etc/passwd')
  return [
    ...words('--unshare-all --die-with-parent --new-session --clearenv'),
    ...system.flatMap((path) => ['--ro-bind-try', path, path]),
    ...words(
      '--proc /proc --dev /dev --tmpfs /tmp --tmpfs /play --tmpfs /home --setenv HOME /home --chdir /',
    ),
    ...words('--setenv PATH /usr/bin:/bin:/usr/sbin --setenv GIT_PAGER cat --setenv PAGER cat'),
  ]
}

/** Hostile commands are never run as root, not even in a namespace. */
function asNobody(arguments_) {
  if (process.getuid?.() !== 0) return ['bwrap', arguments_]
  return ['setpriv', [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', 'bwrap', ...arguments_]]
}

export function whyNot() {
  if (process.platform !== 'linux') return 'it needs the namespaces of Linux'
  if (spawnSync('git', ['--version']).error) return 'git is not installed'
  const probe = spawnSync(...asNobody([...rootArguments(), '--', 'bash', '-c', ':']))
  if (probe.error) return 'bubblewrap is not installed'
  return probe.status === 0 ? undefined : 'bubblewrap may not make namespaces here'
}

/** Runs each command in a throwaway root and returns which of them read or printed the file. */
export function runAll(commands) {
  const place = mkdtempSync(join(tmpdir(), 'toolcrib-file-rules-'))
  try {
    const [files, cases, results] = ['files', 'cases', 'results'].map((each) => join(place, each))
    for (const folder of [files, cases, results]) mkdirSync(folder)
    plantFiles(files)
    commands.forEach((command, index) => writeFileSync(join(cases, String(index).padStart(6, '0')), command))
    writeFileSync(join(place, 'runner'), runner)
    if (process.getuid?.() === 0) {
      execFileSync('chown', ['-R', `${NOBODY}:${NOBODY}`, place])
      chownSync(place, NOBODY, NOBODY)
    }
    chmodSync(place, 0o755)
    const binds = ['--ro-bind', files, '/files', '--ro-bind', cases, '/cases', '--bind', results, '/results']
    const all = [
      ...rootArguments(),
      ...binds,
      '--ro-bind',
      join(place, 'runner'),
      '/runner',
      '--',
      'bash',
      '/runner',
    ]
    execFileSync(...asNobody(all), { stdio: 'ignore' })
    const lines = readFileSync(join(results, 'all'), 'utf8').trimEnd().split('\n')
    return lines.map((line) => ({ hasRead: line[0] === '1', hasPrinted: line[2] === '1' }))
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

export async function round({ seed, size }) {
  const random = createRandom(seed)
  const commands = [...new Set(Array.from({ length: size }, () => drawCommand(random)))]
  const allowed = commands.filter((command) => judgeCommand(command) === 'allow')
  const seen = allowed.length === 0 ? [] : runAll(allowed)
  const broken = allowed.flatMap((text, index) => {
    const { hasPrinted } = seen[index]
    // To find changes, git reads files of which it prints nothing.
    const hasRead = seen[index].hasRead && !/\bgit\b/.test(text)
    if (!hasRead && !hasPrinted) return []
    return [{ kind: hasPrinted ? 'printed the file' : 'read the file', text }]
  })
  // Allowed commands were run: their effects show whether they may be allowed.
  return { attempts: commands.length, proven: allowed.length, broken }
}
