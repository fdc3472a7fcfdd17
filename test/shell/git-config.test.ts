import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findGitProblem } from '../../src/platform/git/find-git-problem.js'
import { isHarmlessSetting, type GitUse } from '../../src/platform/git/is-harmless-setting.js'
import { parseGitConfig } from '../../src/platform/git/parse-git-config.js'
import { readCommand } from '../../src/shell/read-command.js'
import { folderFacts } from '../../src/crib/files/folder-facts.js'
import {
  makeRepositories,
  plantRepository,
  plants,
  runInRepositories,
  whyNoRoot,
} from '../attack/git-repositories.mjs'
import { temporaryFolder } from '../temporary-folder.js'

const reason = whyNoRoot()
if (reason) console.log(`skipped: git in planted repositories, for ${reason}`)

const place = temporaryFolder()
const planted = join(place, 'planted')
let bases: ReturnType<typeof makeRepositories>

beforeAll(() => {
  bases = makeRepositories(place)
  mkdirSync(planted)
})
afterAll(() => rmSync(place, { recursive: true, force: true }))

const env = { PATH: process.env['PATH'], HOME: place, GIT_CONFIG_NOSYSTEM: '1' }
const git = (cwd: string, ...args: string[]): string =>
  execFileSync('git', args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
const readIn = (cwd: string, command: string) =>
  readCommand(command, { cwd, home: place, folders: folderFacts })
const copyOf = (name: string, base: keyof typeof bases = 'plain'): string => {
  const to = join(planted, name)
  cpSync(bases[base], to, { recursive: true, preserveTimestamps: true })
  return to
}
const addTo = (path: string, text: string): void => writeFileSync(path, readFileSync(path, 'utf8') + text)

describe('a hostile repository configuration', () => {
  it('runs a program, and no such command is proven', { timeout: 120_000 }, () => {
    const cases = plants.map(({ base = 'plain', command, trigger, ...plant }, index) => {
      const repository = `plant-${index}`
      plantRepository(bases[base], join(planted, repository), plant)
      return { repository, name: plant.name, command: trigger ?? command, asked: command }
    })
    const proven = cases.filter(
      ({ repository, asked }) => readIn(join(planted, repository), asked).is_read_only,
    )
    expect(proven.map(({ name }) => name)).toEqual([])
    if (reason !== undefined) return
    const sightings = runInRepositories(planted, cases)
    expect(cases.filter((_, index) => !sightings[index]!.hasRun).map(({ name }) => name)).toEqual([])
  })

  it('is named in the reason, with its file', () => {
    const repository = copyOf('named')
    addTo(join(repository, '.git/config'), '[diff "pdf"]\n\ttextconv = sh\n')
    expect(readIn(repository, 'git log').reasons[0]).toBe(
      `${repository}/.git/config sets diff.pdf.textconv, which is not known to be harmless.`,
    )
  })
})

describe('guards on the command line', () => {
  const general =
    'git -c core.fsmonitor=false -c core.hooksPath=/dev/null -c log.showSignature=false --no-pager'
  const shown = '--no-ext-diff --no-textconv --submodule=short'
  const looks = [
    'rev-parse --show-toplevel',
    'rev-parse --abbrev-ref HEAD',
    'rev-parse HEAD',
    'branch --show-current',
    'config --list',
    'config user.name',
    'remote -v',
    'remote get-url origin',
    'symbolic-ref HEAD',
  ].map((words) => `${general} ${words}`)
  const reads = [
    `log --oneline -p ${shown}`,
    `log --format=%H ${shown}`,
    `show --pretty=medium ${shown}`,
    'rev-list --objects HEAD',
    'ls-tree -r HEAD',
    'cat-file -p HEAD:a.txt',
    'for-each-ref',
    'show-ref',
    'merge-base HEAD other',
    'name-rev HEAD',
    'rev-parse HEAD~1',
    `reflog --oneline -p ${shown}`,
    `diff --cached ${shown}`,
    `diff --staged --stat ${shown} -- a.txt`,
    `diff-tree -r -p HEAD ${shown}`,
    `diff-index --cached -p HEAD ${shown}`,
    'blame --no-textconv -w HEAD -- a.txt',
    'annotate --no-textconv HEAD~1 -- a.txt',
    'grep --no-textconv --no-recurse-submodules -n one',
    'grep --no-textconv --no-recurse-submodules --cached one',
    'describe --tags --always',
    'shortlog -s HEAD',
  ]
  // The words of a guard in other roles: a path, another folder, a format that the configuration defines after all.
  const harmful = [
    `log --oneline -p -- ${shown} a.txt`,
    `log --oneline --pretty=mine ${shown}`,
    'blame --no-textconv -- a.txt',
    'describe --always --dirty',
    `diff-index HEAD ${shown} -p`,
  ]
  const astray = [
    ...harmful,
    `log -p ${shown} -- --oneline a.txt`,
    `log --oneline --format mine ${shown}`,
    'rev-list --pretty=mine HEAD',
    'rev-list --format mine HEAD',
    `diff ${shown} -- --cached`,
    `diff -p --cached -- ${shown}`,
    'blame HEAD -- --no-textconv a.txt',
    'blame --no-textconv HEAD a.txt',
    'blame --no-textconv --contents=a.txt HEAD -- a.txt',
  ]

  it('prove a command in a repository that was not checked', () => {
    const lazy = reads.map((words) => `${general} --no-lazy-fetch ${words}`)
    for (const command of [...looks, ...lazy, 'git --version', 'git version'])
      expect([command, readCommand(command, { cwd: '/w', home: '/h' }).reasons]).toEqual([command, []])
  })

  it.each([
    // Each of these omits one of them.
    ...reads.map((words) => `${general} ${words}`),
    'git rev-parse HEAD',
    `git --no-lazy-fetch --no-pager log --oneline ${shown}`,
    `${general} --no-lazy-fetch log ${shown}`,
    `${general} --no-lazy-fetch log --format=mine ${shown}`,
    `${general} --no-lazy-fetch log --oneline --no-ext-diff --no-textconv`,
    `${general} --no-lazy-fetch log --oneline --no-ext-diff --submodule=short`,
    `${general} --no-lazy-fetch log --oneline -m ${shown}`,
    ...astray.map((words) => `${general} --no-lazy-fetch ${words}`),
    `${general} --no-lazy-fetch status`,
    `${general} --no-lazy-fetch diff ${shown}`,
    `${general} --no-lazy-fetch diff HEAD~1 HEAD ${shown}`,
    `${general} --no-lazy-fetch diff-files ${shown}`,
    `${general} --no-lazy-fetch blame a.txt`,
    `${general} --no-lazy-fetch grep --no-textconv one`,
    `${general} --no-lazy-fetch archive HEAD`,
    'git -c core.fsmonitor=false -C log.showSignature=false --no-pager --no-lazy-fetch log --oneline ' +
      shown,
    'git -C core.fsmonitor=false --no-pager --no-lazy-fetch diff --cached ' + shown,
    `${general} --no-lazy-fetch ls-remote origin`,
    `${general} rev-parse HEAD~1`,
    'git -c core.fsmonitor=./x --no-pager rev-parse HEAD',
    'git -c core.hooksPath=x --no-pager rev-parse HEAD',
    'git -c core.pager=x rev-parse HEAD',
    'git -c alias.x=!y --no-pager rev-parse HEAD',
  ])('%s is not proven there', (command) =>
    expect(readCommand(command, { cwd: '/w', home: '/h' }).is_read_only).toBe(false),
  )

  it.skipIf(reason !== undefined)('really protect git from the hostile configuration', () => {
    // All at once, except for missing objects: this version may not have the guard against them.
    const simple = plants.filter(({ base, remote, missing, files = {} }) => {
      const isDeep = Object.keys(files).some((path) => path.startsWith('deep/'))
      return !base && !remote && !missing && !isDeep
    })
    const all = {
      config: `${simple.map(({ config = '' }) => config).join('')}[pretty]\n\tmine = %G?\n`,
      files: Object.assign({}, ...simple.map(({ files }) => files)) as Record<string, string>,
      runnable: simple.flatMap(({ runnable = [] }) => runnable),
    }
    plantRepository(bases.plain, join(planted, 'all'), all)
    const guarded = [...looks, ...reads.map((words) => `${general} ${words}`)]
    const unguarded = ['git log', 'git status', ...harmful.map((words) => `${general} ${words}`)]
    const cases = [...guarded, ...unguarded].map((command) => ({ repository: 'all', command }))
    const sightings = runInRepositories(planted, cases)
    const ran = cases.filter((_, index) => sightings[index]!.hasRun || sightings[index]!.hasChanged)
    expect(ran.map(({ command }) => command)).toEqual(unguarded)
  })
})

describe('an ordinary repository', () => {
  const commands = [
    'git status',
    'git log',
    'git diff',
    'git ls-remote origin',
    'git -C deep log',
    'cd deep && git show',
  ]

  it.each(['plain', 'embedded', 'absorbed'] as const)('is clean: %s', (base) => {
    for (const command of commands) expect(readIn(bases[base], command).reasons).toEqual([])
  })

  it('is clean with the settings that tools write', () => {
    const repository = copyOf('usual')
    const set = (...words: string[]) => git(repository, 'config', ...words)
    set('core.hooksPath', '.husky/_')
    set('pull.rebase', 'true')
    set('remote.origin.gh-resolved', 'base')
    set('remote.upstream.url', 'git@example.invalid:a/b.git')
    set('branch.main.remote', 'origin')
    set('branch.main.vscode-merge-base', 'origin/main')
    set('color.diff.meta', 'yellow bold')
    set('pager.branch', 'false')
    set('user.name', 'A; "B" #C')
    set('submodule.x.url', '../x')
    set('lfs.repositoryformatversion', '0')
    expect(commands.map((command) => readIn(repository, command).reasons)).toEqual(commands.map(() => []))
    set('http.https://example.invalid/.extraheader', 'AUTHORIZATION: x')
    expect(readIn(repository, 'git log').is_read_only).toBe(true)
    expect(readIn(repository, 'git ls-remote origin').is_read_only).toBe(false)
  })

  it('is clean as a second working tree, as a bare one, and outside of any', () => {
    const second = join(place, 'second')
    git(bases.plain, 'worktree', 'add', '-q', second, 'other')
    const bare = join(place, 'bare.git')
    git(place, 'clone', '-q', '--bare', bases.plain, bare)
    mkdirSync(join(place, 'none'))
    for (const folder of [second, bare, join(bare, 'refs'), join(place, 'none')])
      expect([folder, findGitProblem(folder, 'files', {})]).toEqual([folder, undefined])
    addTo(join(bases.plain, '.git/config'), '[core]\n\tfsmonitor = x\n')
    expect(findGitProblem(second, 'history', {})).toContain('core.fsmonitor')
    git(bases.plain, 'config', '--unset-all', 'core.fsmonitor')
    git(bases.plain, 'worktree', 'remove', '--force', second)
  })

  it('is checked again each time, also with the same times and size', () => {
    const repository = copyOf('changing')
    const config = join(repository, '.git/config')
    addTo(config, '[user]\n\tname = /canary/run\n')
    const before = statSync(config)
    expect(findGitProblem(repository, 'files', {})).toBeUndefined()
    writeFileSync(
      config,
      readFileSync(config, 'utf8').replace('[user]\n\tname =', '[diff]\n\texternal =').slice(0, before.size),
    )
    utimesSync(config, before.atime, before.mtime)
    expect(findGitProblem(repository, 'files', {})).toContain('diff.external')
  })

  it('is a problem if a submodule is added later, or another repository replaces it', () => {
    const repository = copyOf('growing', 'embedded')
    expect(findGitProblem(repository, 'files', {})).toBeUndefined()
    addTo(join(repository, 'sub/.git/config'), '[core]\n\tfsmonitor = x\n')
    expect(findGitProblem(repository, 'files', {})).toContain('sub/.git/config sets core.fsmonitor')
    // A command that reads only recorded states does not go there.
    expect(findGitProblem(repository, 'history', {})).toBeUndefined()
  })

  it.each<[string, (repository: string) => void, string]>([
    [
      'a configuration that is too large',
      (at) => addTo(join(at, '.git/config'), '#'.repeat(1_100_000)),
      'larger',
    ],
    ['a configuration that is no text', (at) => addTo(join(at, '.git/config'), '\0'), 'line'],
    ['a configuration that is a link', linkConfig, 'no plain file'],
    ['a folder .git that is a link', linkFolder, 'link'],
    [
      'a file .git of another repository',
      (at) => {
        mkdirSync(join(at, 'x'))
        writeFileSync(join(at, 'x/.git'), `gitdir: ${bases.plain}/.git\n`)
      },
      'another working tree',
    ],
    ['an index that is no index', (at) => writeFileSync(join(at, '.git/index'), 'DIRC????'), 'index'],
    [
      'remotes as they once were',
      (at) => {
        mkdirSync(join(at, '.git/remotes'))
        writeFileSync(join(at, '.git/remotes/origin'), 'URL: .\n')
      },
      'old format',
    ],
  ])('is a problem with %s', (name, spoil, problem) => {
    const repository = copyOf(name.replaceAll(' ', '-'))
    spoil(repository)
    const at = name.includes('another repository') ? join(repository, 'x') : repository
    expect(findGitProblem(at, name.startsWith('remotes') ? 'remote' : 'files', {})).toContain(problem)
  })

  it('is unknown if a variable leads git to another', () => {
    expect(findGitProblem(bases.plain, 'history', { GIT_DIR: '/x' })).toContain('GIT_DIR')
    expect(findGitProblem(join(place, 'missing'), 'history', {})).toBeUndefined()
  })
})

function linkConfig(repository: string): void {
  const config = join(repository, '.git/config')
  execFileSync('mv', [config, join(repository, 'away')])
  execFileSync('ln', ['-s', '../away', config])
}

function linkFolder(repository: string): void {
  execFileSync('mv', [join(repository, '.git'), join(repository, 'away')])
  execFileSync('ln', ['-s', 'away', join(repository, '.git')])
}

describe('the syntax of a configuration', () => {
  const texts = [
    '[a]\nb = c\n',
    '[a] b = c\n\td\n[A "S \\" \\\\ s"] E=f g  ; h\n',
    '[a.B]\n x-y1 = "  q  " r \\t\\n\\"\\\\ # z\n',
    '[a]\nb = one \\\n  two\nc=\n d = "a;b#c"\n',
    '\uFEFF; x\n# y\n\n[a]\r\nb = c\r\nd=e',
    '[a]\n\tb = x   y\t z  \n',
    '[a "b.c"]\nd = """" x ""\n',
    '[a]\nb = "x\n',
    '[a]\nb = \\x\n',
    '[a\nb = c\n',
    '[a "x]\nb = c\n',
    '[a]\n1b = c\n',
    '[a]\nb c = d\n',
    'b = c\n',
    '[a "x" ]\nb = c\n',
    '[]\nb = c\n',
    '[a]\nb = c\\',
    '[a]\nb_c = d\n',
    '[a] [b] c = d\n',
  ]

  it('is parsed as git parses it', () => {
    const path = join(place, 'syntax')
    let understood = 0
    for (const text of texts) {
      writeFileSync(path, text)
      const parsed = parseGitConfig(text)
      if (!parsed.ok) continue
      understood += 1
      const ours = parsed.settings.map(({ section, subsection, name, value }) => {
        const key = subsection === undefined ? `${section}.${name}` : `${section}.${subsection}.${name}`
        return value === undefined ? key : `${key}\n${value}`
      })
      const theirs = git(place, 'config', '--file', path, '--list', '-z').split('\0').slice(0, -1)
      expect([text, ours]).toEqual([text, theirs])
    }
    expect(understood).toBe(7)
  })
})

describe('settings', () => {
  const uses: GitUse[] = ['history', 'files', 'remote']
  const test = (text: string, use: GitUse): boolean => {
    const parsed = parseGitConfig(text)
    if (!parsed.ok) throw new Error(text)
    return parsed.settings.every((setting) => isHarmlessSetting(setting, use))
  }

  it.each([
    '[core]\nfsmonitor = false',
    '[remote "o"]\nurl = https://h/x',
    '[remote "o"]\nurl = git@h:x',
    '[branch "b"]\nmerge = x',
    '[branch]\nsort = -committerdate',
    '[pager]\nlog = no',
    '[color "diff"]\nmeta = red',
  ])('%j are harmless', (text) => expect(uses.filter((use) => !test(text, use))).toEqual([]))

  it.each([
    '[core]\nfsmonitor = true',
    '[core]\nfsmonitor',
    '[core "x"]\nfilemode = true',
    '[remote "o"]\nurl = ext::x',
    '[remote "o"]\nurl = x::y',
    '[remote "o"]\nurl = --upload-pack=x',
    '[remote "o"]\nurl = ftp://h',
    '[remote "o"]\nproxy = x',
    '[remote "o"]\npromisor = true',
    '[remote "o"]\nvcs = x',
    '[branch "b"]\nremote = ext::x',
    '[branch]\nsort = signature',
    '[submodule "s"]\nupdate = !x',
    '[pager]\nlog = x',
    '[url "x"]\ninsteadOf = y',
    '[credential]\nhelper = x',
    '[hook "x"]\ncommand = y',
    '[filter "lfs"]\nclean = git-lfs',
    '[diff "d"]\ntextconv = x',
    '[trailer "x"]\ncommand = y',
    '[safe]\ndirectory = *',
    '[uploadpack]\npackObjectsHook = x',
    '[extensions]\npartialClone = o',
    '[tar "x"]\ncommand = y',
  ])('%j are not', (text) => expect(uses.filter((use) => test(text, use))).toEqual([]))

  it('of a remote that is a folder are harmless only to who does not go there', () => {
    expect(uses.filter((use) => test('[remote "o"]\nurl = ../x', use))).toEqual(['history', 'files'])
  })
})
