import { lstatSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import {
  findRepositories,
  isSamePath,
  leadsBack,
  lookAt,
  repositoryAt,
  type Repository,
} from './find-repositories.js'
import { isHarmlessSetting, type GitUse } from './is-harmless-setting.js'
import { listSubmodules } from './list-submodules.js'
import { parseGitConfig, type GitSetting } from './parse-git-config.js'

const MAX_CONFIG_BYTES = 1024 * 1024
const MAX_DEPTH = 8
const MAX_SUBMODULES = 200

/** Variables that make git use another repository than the one it would find. */
const REDIRECTS = ['GIT_DIR', 'GIT_COMMON_DIR', 'GIT_WORK_TREE', 'GIT_CONFIG', 'GIT_INDEX_FILE']

/**
 * Why git should not be run in a folder, in one sentence that names the file and the setting; undefined where there is
 * no repository, or where nothing in it makes git run other programs.
 */
export function findGitProblem(
  folder: string,
  use: GitUse,
  env: NodeJS.ProcessEnv = process.env,
): string | undefined {
  const redirect = REDIRECTS.find((name) => env[name] !== undefined)
  if (redirect !== undefined) return `${redirect} is set, so that git may use another repository.`
  const real = realFolder(folder)
  if (real === undefined) return `The folder ${folder} cannot be looked at.`
  const found = findRepositories(real)
  if (found.problem !== undefined) return found.problem
  if (use === 'remote' && found.repositories.length === 0) return `There is no repository in ${folder}.`
  return firstOf(found.repositories, (repository) => problemOf(repository, use, 0))
}

/**
 * The folder with its links followed. A folder that does not exist contains nothing; its parents would count instead.
 */
function realFolder(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    try {
      return realpathSync.native(at)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(at) === at) return undefined
    }
  }
}

function problemOf(repository: Repository, use: GitUse, depth: number): string | undefined {
  const { gitFolder, commonFolder } = repository
  const settings: GitSetting[] = []
  for (const path of [join(commonFolder, 'config'), join(gitFolder, 'config.worktree')]) {
    const problem = readSettings(path, repository, use, settings)
    if (problem !== undefined) return problem
  }
  const isOwnTree = settings.some((setting) => isNamed(setting, 'core', 'worktree'))
  if (repository.isLinked && !isOwnTree && !leadsBack(repository))
    return `${join(repository.workTree!, '.git')} leads to a repository of another working tree.`
  if (use === 'remote') return remoteProblem(repository, settings)
  if (use === 'files')
    return hookProblem(repository, settings) ?? submoduleProblem(repository, settings, depth)
  return undefined
}

/** Adds the settings of a file, or returns the one that is not harmless. */
function readSettings(
  path: string,
  repository: Repository,
  use: GitUse,
  settings: GitSetting[],
): string | undefined {
  let text: string
  try {
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (found === undefined) return undefined
    if (!found.isFile()) return `${path} is no plain file.`
    if (found.size > MAX_CONFIG_BYTES) return `${path} is larger than a configuration should be.`
    text = readFileSync(path, 'utf8')
  } catch {
    return `${path} cannot be read.`
  }
  const parsed = parseGitConfig(text)
  if (!parsed.ok) return `${path} cannot be understood in line ${parsed.line}.`
  settings.push(...parsed.settings)
  const odd = parsed.settings.find((setting) => !isHarmlessIn(repository, setting, use))
  return odd && `${path} sets ${nameOf(odd)}, which is not known to be harmless.`
}

/** Whether two settings are harmless depends on what they refer to in this repository. */
function isHarmlessIn(repository: Repository, setting: GitSetting, use: GitUse): boolean {
  const { gitFolder, workTree } = repository
  if (isNamed(setting, 'core', 'worktree'))
    return (
      workTree !== undefined &&
      setting.value !== undefined &&
      isSamePath(resolve(gitFolder, setting.value), workTree)
    )
  // The hooks in it are checked afterwards. Only git knows what a tilde or a percent sign expands to.
  if (isNamed(setting, 'core', 'hookspath')) return /^[^~%]/.test(setting.value ?? '')
  return isHarmlessSetting(setting, use)
}

function isNamed(setting: GitSetting, section: string, name: string): boolean {
  return setting.section === section && setting.subsection === undefined && setting.name === name
}

function nameOf({ section, subsection, name }: GitSetting): string {
  return subsection === undefined ? `${section}.${name}` : `${section}.${subsection}.${name}`
}

/** Git runs this hook when it writes the index, and it writes the index when it looks at the files. */
function hookProblem(
  { gitFolder, commonFolder, workTree }: Repository,
  settings: readonly GitSetting[],
): string | undefined {
  const folders = [join(commonFolder, 'hooks'), join(gitFolder, 'hooks')]
  for (const setting of settings)
    if (isNamed(setting, 'core', 'hookspath'))
      folders.push(resolve(workTree ?? gitFolder, setting.value!), resolve(gitFolder, setting.value!))
  return firstOf(folders, (folder) => {
    const path = join(folder, 'post-index-change')
    try {
      const found = statSync(path, { throwIfNoEntry: false })
      if (found === undefined || (found.mode & 0o111) === 0) return undefined
      return `${path} is a hook that git would run.`
    } catch {
      return undefined
    }
  })
}

/** To look at the files, git starts itself in every submodule and obeys the submodule's configuration. */
function submoduleProblem(
  { gitFolder, workTree }: Repository,
  settings: readonly GitSetting[],
  depth: number,
): string | undefined {
  if (workTree === undefined) return undefined
  const isLong = settings.some(
    ({ section, name, value }) => section === 'extensions' && name === 'objectformat' && value === 'sha256',
  )
  const path = join(gitFolder, 'index')
  const submodules = listSubmodules(path, isLong ? 32 : 20)
  if (submodules === undefined) return `${path} cannot be understood.`
  if (submodules.length === 0) return undefined
  if (depth >= MAX_DEPTH || submodules.length > MAX_SUBMODULES)
    return `${workTree} has too many submodules to look at.`
  return firstOf(submodules, (name) => {
    const found = repositoryAt(join(workTree, name))
    if (found === undefined) return undefined
    return 'problem' in found ? found.problem : problemOf(found, 'files', depth + 1)
  })
}

/** Git takes a remote without a configuration for a folder, and would start itself there. */
function remoteProblem({ commonFolder }: Repository, settings: readonly GitSetting[]): string | undefined {
  const names = new Set(
    settings
      .filter(({ section, name }) => section === 'remote' && name === 'url')
      .map((each) => each.subsection),
  )
  if (!names.has('origin')) return `${join(commonFolder, 'config')} says nothing of a remote origin.`
  const stray = settings.find(
    ({ section, subsection, name, value }) =>
      section === 'branch' && subsection !== undefined && name.endsWith('remote') && !names.has(value),
  )
  if (stray !== undefined)
    return `${join(commonFolder, 'config')} sets ${nameOf(stray)} to no remote of its own.`
  // Remotes in the format that is older than the configuration.
  return firstOf(['remotes', 'branches'], (name) => {
    const folder = join(commonFolder, name)
    try {
      if (lookAt(folder) === undefined || readdirSync(folder).length === 0) return undefined
      return `${folder} holds remotes in an old format.`
    } catch {
      return `${folder} cannot be read.`
    }
  })
}

function firstOf<Item>(items: readonly Item[], find: (item: Item) => string | undefined): string | undefined {
  for (const item of items) {
    const problem = find(item)
    if (problem !== undefined) return problem
  }
  return undefined
}
