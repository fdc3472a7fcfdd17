// Repositories with anything that an attacker may have put into them, and git command lines of the proven kinds. What
// is proven there must start no program of the repository and change no file.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readCommand } from '../../dist/shell/read-command.js'
import { folderFacts } from '../../dist/crib/files/folder-facts.js'
import {
  CANARY,
  makeRepositories,
  plantRepository,
  plants,
  runInRepositories,
  whyNoRoot,
} from './git-repositories.mjs'
import { createRandom } from './random.mjs'

export const name = 'git in strange folders'

export function whyNot() {
  return whyNoRoot()
}

const PROGRAMS =
  `core.fsmonitor core.pager core.editor core.sshCommand core.askPass core.gitProxy core.alternateRefsCommand
  core.hooksPath core.attributesFile core.excludesFile diff.external diff.d.textconv diff.d.command diff.submodule diff.tool
  diff.orderFile filter.f.clean filter.f.smudge filter.f.process merge.m.driver gpg.program gpg.ssh.program gpg.x509.program
  log.showSignature log.diffMerges format.pretty alias.status alias.lfs pager.log pager.status credential.helper
  remote.origin.uploadpack remote.origin.vcs remote.origin.promisor extensions.partialClone protocol.ext.allow include.path
  url.ext::x.insteadOf trailer.x.command interactive.diffFilter submodule.recurse status.submoduleSummary branch.sort tag.sort
  uploadpack.packObjectsHook tar.tar.command hook.x.command hook.x.event blame.ignoreRevsFile mailmap.file core.worktree
  index.sparse core.splitIndex fetch.recurseSubmodules gc.recentObjectsHook notes.displayRef man.viewer browser.x.cmd`.split(
    /\s+/,
  )
const HARMLESS = [
  'core.filemode = false',
  'core.ignorecase = true',
  'core.fsmonitor = false',
  'core.untrackedCache = true',
  'core.quotepath = off',
  'core.autocrlf = input',
  'pull.rebase = true',
  'user.name = "A # B"',
  'color.ui = always',
  'color.diff.meta = red',
  'diff.renames = copies',
  'diff.algorithm = histogram',
  'log.decorate = full',
  'status.showUntrackedFiles = all',
  'branch.main.remote = origin',
  'branch.main.merge = refs/heads/main',
  'branch.sort = -committerdate',
  'remote.other.url = git@example.invalid:x',
  'remote.origin.fetch = +refs/heads/*:refs/remotes/origin/*',
  'submodule.sub.url = ../sub',
  'submodule.sub.ignore = none',
  'rerere.enabled = true',
  'gc.auto = 1',
  'index.version = 4',
  'commit.gpgsign = true',
  'i18n.logOutputEncoding = latin1',
  'column.ui = always',
  'core.hooksPath = .husky',
  'http.https://example.invalid/.extraheader = x',
  'feature.manyFiles = true',
]

/** A setting in one of the spellings that git accepts. */
function spell(random, key, value) {
  const [first, last] = [key.indexOf('.'), key.lastIndexOf('.')]
  const [section, setting] = [key.slice(0, first), key.slice(last + 1)]
  const subsection = first === last ? '' : ` "${key.slice(first + 1, last)}"`
  const head = `[${random.chance(0.2) ? section.toUpperCase() : section}${subsection}]`
  const spelled = random.chance(0.2) ? setting.toUpperCase() : setting
  const written = random.pick([value, value, `"${value}"`, `${value} ; x`, `\\\n${value}`])
  return `${head}${random.pick(['\n\t', ' ', '\n'])}${spelled}${random.pick([' = ', '='])}${written}\n`
}

const VALUES = [
  CANARY,
  CANARY,
  `!${CANARY}`,
  'true',
  '%G?',
  'signature',
  'diff',
  'remerge',
  '../more',
  'always',
  '.husky',
]

function randomConfig(random) {
  let config = ''
  for (let left = random.below(5); left > 0; left--) {
    const [key, value] = random.pick(HARMLESS).split(/ = (.*)/s)
    config += spell(random, key, value)
  }
  if (random.chance(0.45)) return { config, isHostile: false }
  for (let left = 1 + random.below(3); left > 0; left--)
    config += spell(random, random.pick(PROGRAMS), random.pick(VALUES))
  if (random.chance(0.5)) config += spell(random, 'gpg.program', CANARY)
  return { config, isHostile: true }
}

const FOLDERS = ['sub', 'deep', 'deep/x', 'sub/../deep', '.', './deep', '.git']
const WORDS = {
  status: ['-s', '--porcelain', '-v', '--ignored', '--show-stash', '--ignore-submodules=none'],
  diff: [
    '--cached',
    '--stat',
    'HEAD~1',
    'HEAD~1 HEAD',
    '--no-ext-diff',
    '--no-textconv',
    '-M',
    '--name-only',
    '--submodule=short',
  ],
  log: [
    '-p',
    '--oneline',
    '--stat',
    '--graph',
    '--all',
    '-c',
    '-m -p',
    '--format=%H',
    '--format=%an',
    '-L 1,1:a.txt',
    '--no-textconv',
  ],
  show: ['HEAD', 'HEAD:a.txt', '-m', 'v1', '--stat', '--pretty=fuller'],
  'rev-list': ['HEAD', '--objects --all', '--count HEAD'],
  'rev-parse': ['HEAD', 'HEAD~1', '--show-toplevel', '--abbrev-ref HEAD'],
  blame: ['a.txt', 'HEAD -- a.txt', '-w a.txt'],
  branch: ['-a', '-vv', '--show-current', '--contains HEAD', '--sort=-committerdate'],
  tag: ['-l', '-n', '--contains HEAD'],
  'ls-files': ['-m', '-s', '-o', '--eol', '--recurse-submodules', '-d'],
  'ls-tree': ['HEAD', '-r HEAD'],
  'cat-file': ['-p HEAD', '-p HEAD:a.txt', '--batch-all-objects --batch-check'],
  grep: ['one', '--cached one', '-n one HEAD', '--no-index one'],
  describe: ['--always', '--always --dirty', '--tags'],
  config: ['--list', 'user.name', '--get-regexp .'],
  remote: ['-v', 'show -n origin', 'get-url origin', ''],
  submodule: ['status', 'status --recursive'],
  stash: ['list', 'show'],
  'diff-files': ['', '-p'],
  'diff-index': ['HEAD', '-p HEAD', '--cached HEAD'],
  'for-each-ref': ['', '--format=%(refname)', '--sort=-creatordate'],
  'show-ref': [''],
  'check-attr': ['-a a.txt'],
  'check-ignore': ['a.txt'],
  shortlog: ['-s HEAD'],
  reflog: ['', '-p'],
  archive: ['HEAD', '--format=tar HEAD'],
  fsck: ['', '--full'],
  worktree: ['list'],
  'count-objects': ['-v'],
  'name-rev': ['HEAD'],
  'ls-remote': ['origin', ''],
  lfs: ['version', 'status'],
  notes: ['list'],
  var: ['-l'],
}
const GENERAL = [
  '--no-pager',
  '--no-pager',
  '-c core.fsmonitor=false',
  '-c core.hooksPath=/dev/null',
  '-c log.showSignature=false',
  '--no-optional-locks',
  `-c core.pager=${CANARY}`,
]

function randomCommand(random) {
  const verb = random.pick(Object.keys(WORDS))
  const general = random.chance(0.4)
    ? `${random.pick(GENERAL)} ${random.chance(0.5) ? `${random.pick(GENERAL)} ` : ''}`
    : ''
  const goes = random.chance(0.2) ? `-C ${random.pick(FOLDERS)} ` : ''
  const own = random.chance(0.3)
    ? `${random.pick(WORDS[verb])} ${random.pick(WORDS[verb])}`
    : random.pick(WORDS[verb])
  const git = `git ${goes}${general}${verb} ${own}`.trim()
  const folder = random.pick(FOLDERS)
  return random.pick([
    git,
    git,
    git,
    git,
    `cd ${folder} && ${git}`,
    `cd ${folder}; ${git}`,
    `(cd ${folder} && ${git}); ${git}`,
    `pushd ${folder}; ${git}; popd`,
    `bash -c '${git}'`,
    `set -e; ${git}`,
    `find . -maxdepth 1 -exec ${git} ';'`,
    `find . -name '*.txt' -execdir ${git} ';'`,
    `echo x | xargs -I{} ${git}`,
    `${git} | cat; ${git}`,
  ])
}

/** What is planted besides the configuration: a nested repository, hooks, a submodule with its own configuration. */
function randomPlant(random, index) {
  const { config, isHostile } = randomConfig(random)
  const base = random.pick(['plain', 'plain', 'embedded', 'absorbed'])
  const plant = { base, config, files: {}, runnable: [] }
  if (isHostile) {
    const other = random.pick(plants)
    if (random.chance(0.4) && (other.base ?? 'plain') === base) {
      Object.assign(plant.files, other.files)
      plant.runnable.push(...(other.runnable ?? []))
      plant.config += other.config ?? ''
      plant.missing = other.missing
    }
    if (random.chance(0.2)) plant.files['more'] = spell(random, random.pick(PROGRAMS), CANARY)
    if (random.chance(0.2))
      plant.runnable.push(random.pick(['.git/hooks/post-index-change', '.husky/post-index-change']))
  }
  return { ...plant, repository: String(index) }
}

/** About `size` command lines: several in each repository. */
export async function round({ seed, size }) {
  const random = createRandom(seed)
  const place = mkdtempSync(join(tmpdir(), 'toolcrib-git-folders-'))
  try {
    const bases = makeRepositories(place)
    const planted = join(place, 'planted')
    mkdirSync(planted)
    const proven = []
    let attempts = 0
    for (let index = 0; attempts < size; index++) {
      const plant = randomPlant(random, index)
      const cwd = join(planted, plant.repository)
      plantRepository(bases[plant.base], cwd, plant)
      for (let left = 10; left > 0 && attempts < size; left--) {
        const command = randomCommand(random)
        attempts += 1
        const { is_read_only } = readCommand(command, { cwd, home: '/home', folders: folderFacts })
        if (is_read_only) proven.push({ repository: plant.repository, command, plant })
      }
    }
    const sightings = proven.length === 0 ? [] : runInRepositories(planted, proven)
    const broken = proven.flatMap(({ command, plant }, index) => {
      const { hasRun, hasChanged } = sightings[index]
      if (!hasRun && !hasChanged) return []
      const kind = hasRun ? 'ran a program' : 'changed a file'
      return [{ kind, text: `${command}  in ${JSON.stringify(plant)}` }]
    })
    return { attempts, proven: proven.length, broken }
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}
