import { basename, join } from 'node:path'
import { mayOverlap, segmentsOverlap } from './patterns/overlap.js'
import { escapeWildcards, isWild, plainName, segmentsOf } from './patterns/path-pattern.js'
import type { TouchedPath } from './commands/touched.js'

/** Paths whose content decides what programs do later, or who a user is. */
export interface ProtectedPaths {
  /** Toolcrib's own settings, rules, records and keys: no tool reads or writes there, and no rule allows it. */
  readonly own: readonly string[]
  /** Toolcrib's own secrets: no tool may even read them. */
  readonly secret?: readonly string[] | undefined
  /** The home folder, below which keys are stored. */
  readonly home?: string | undefined
}

export interface ProtectedHit {
  readonly path: string
  readonly isOwn: boolean
  readonly message: string
}

/** Folders and files that hold keys: reading them needs approval too. */
const KEYS = new Set(['.ssh', '.gnupg', '.aws', '.azure', '.kube', '.password-store', '.netrc', '.pgpass'])

const KEY_FOLDERS_BELOW_CONFIG = new Set(['gcloud', 'gh', 'op'])

const START_UP = new Set([
  '.bashrc',
  '.bash_profile',
  '.bash_login',
  '.bash_logout',
  '.bash_aliases',
  '.profile',
  '.zshrc',
  '.zshenv',
  '.zprofile',
  '.zlogin',
  '.zlogout',
  '.kshrc',
  '.cshrc',
  '.tcshrc',
  '.xinitrc',
  '.xprofile',
  '.xsession',
  '.inputrc',
  '.envrc',
  '.gitconfig',
  '.gitmodules',
  '.npmrc',
  '.pypirc',
  '.mcp.json',
])

/** Folders whose content other programs run or obey. */
const OBEYED = new Set(['.git', '.claude', '.husky', '.vscode', '.idea', '.cursor', '.devcontainer'])

const OBEYED_BELOW_CONFIG = new Set(['fish', 'autostart', 'systemd', 'git', 'toolcrib'])

/** Toolcrib's records in any folder. */
const OWN_FOLDERS = new Set(['.toolcrib'])

/** Toolcrib's settings in any folder, by name. */
const OWN_FILE = /^toolcrib(?:\.local|\.config)?\.(?:ya?ml|json|[cm]?[jt]s)$/
const OWN_FILES = ['', '.local', '.config'].flatMap((kind) =>
  ['yaml', 'yml', 'json', 'js', 'mjs', 'cjs', 'ts', 'mts', 'cts'].map(
    (ending) => `toolcrib${kind}.${ending}`,
  ),
)

/** The protected one among the touched paths; Toolcrib's own paths first. */
export function findProtected(
  paths: readonly TouchedPath[],
  protectedPaths: ProtectedPaths,
): ProtectedHit | undefined {
  let asked: ProtectedHit | undefined
  let unread: ProtectedHit | undefined
  for (const { path, real, access, isGlob, walk, basis } of paths) {
    // A path on another machine is not a path of this one.
    if (basis === 'remote') continue
    for (const each of path === real ? [path] : [path, real]) {
      const hit =
        protectedAt({ path: each, access, isGlob, basis }, protectedPaths) ??
        (walk && !isGlob ? softened(protectedBelow(each, access, protectedPaths), basis) : undefined) ??
        (basis === 'name' ? keyBelow(each, protectedPaths) : undefined)
      // A write is reported as one, also if the path would be read first.
      if (hit?.isOwn && access === 'write') return hit
      if (hit?.isOwn) unread ??= hit
      else asked ??= hit
    }
  }
  return unread ?? asked
}

type OnePath = Pick<TouchedPath, 'path' | 'access' | 'isGlob' | 'basis'>

function protectedAt(touched: OnePath, { own, secret = [] }: ProtectedPaths): ProtectedHit | undefined {
  const { path, access, isGlob, basis } = touched
  const isWrite = access === 'write'
  if (isIn(touched, secret))
    return ownHit(path, `No tool may ${isWrite ? 'change' : 'read'} the key that seals waiting calls.`)
  const segments = segmentsOf(path).map((segment) => segment.toLowerCase())
  const isOneOf = (segment: string, names: ReadonlySet<string>): boolean => meets(segment, names, isGlob)
  if (isWrite) {
    const isNamed = (): boolean =>
      isOwnFile(segments.at(-1) ?? '', isGlob) || segments.some((each) => isOneOf(each, OWN_FOLDERS))
    const isPlaced = isIn(touched, own)
    if (isPlaced || isNamed()) {
      const hit = ownHit(path, 'No tool may change Toolcrib’s own settings, rules and records.')
      return isPlaced || basis !== 'content' ? hit : undefined
    }
  } else if (isIn(touched, own.filter(isClosed))) {
    return ownHit(path, 'No tool may read Toolcrib’s own settings, rules and records.')
  }
  for (const [index, segment] of segments.entries()) {
    const isConfig = index > 0 && segments[index - 1] === '.config'
    if (isOneOf(segment, KEYS) || (isConfig && isOneOf(segment, KEY_FOLDERS_BELOW_CONFIG))) {
      return { path, isOwn: false, message: `"${segment}" holds keys; a person decides about it every time.` }
    }
    if (!isWrite) continue
    const isObeyed = isOneOf(segment, OBEYED) || (isConfig && isOneOf(segment, OBEYED_BELOW_CONFIG))
    if (isObeyed || isOneOf(segment, START_UP)) {
      const message = `Programs obey what is in "${segment}"; a person decides about each change of it.`
      return { path, isOwn: false, message }
    }
  }
  return undefined
}

/** Everyone who works on a project reads its settings; they are only never written. */
const isClosed = (place: string): boolean => !isOwnSetting(place)

/** Whether a path is a file with settings of Toolcrib, by its name. */
export function isOwnSetting(path: string): boolean {
  return OWN_FILE.test(basename(path).toLowerCase())
}

/** Files and folders of a user that hold keys, whether they exist or not. */
export function keyPaths(home: string): string[] {
  const below = (names: Iterable<string>, ...folders: string[]): string[] =>
    [...names].map((name) => join(home, ...folders, name))
  return [...below(KEYS), ...below(KEY_FOLDERS_BELOW_CONFIG, '.config')]
}

/** Files and folders in a project that other programs run or obey, whether they exist or not. */
export function obeyedPaths(folder: string): string[] {
  const names = [...OBEYED].flatMap((name) => (name === '.git' ? ['.git/hooks', '.git/config'] : [name]))
  return [...names, ...START_UP].map((name) => join(folder, name))
}

/** A word that happens to be a folder's name, such as "/", does not prove that the folder is meant. */
function softened(hit: ProtectedHit | undefined, basis: TouchedPath['basis']): ProtectedHit | undefined {
  return hit?.isOwn && (basis === 'value' || basis === 'content') ? { ...hit, isOwn: false } : hit
}

/** A folder with a key in it, for a tool that may walk it. */
function keyBelow(folder: string, { secret = [] }: ProtectedPaths): ProtectedHit | undefined {
  if (!secret.some((place) => isWithin(place, folder))) return undefined
  const message = 'The key that seals waiting calls lies in there; a person decides about it every time.'
  return { path: folder, isOwn: false, message }
}

/** Whether a path is one of Toolcrib's own by position or by name, so that some access to it is denied. */
export function isOwnPlace(path: string, { own, secret = [] }: ProtectedPaths): boolean {
  const isAt = (place: string): boolean => isWithin(path, place)
  if (own.some(isAt) || secret.some(isAt)) return true
  if (!/toolcrib/i.test(path)) return false
  const segments = segmentsOf(path).map((segment) => segment.toLowerCase())
  return OWN_FILE.test(segments.at(-1) ?? '') || segments.some((each) => OWN_FOLDERS.has(each))
}

/** Protected paths in a folder that is walked. */
function protectedBelow(
  folder: string,
  access: TouchedPath['access'],
  { own, secret = [], home }: ProtectedPaths,
): ProtectedHit | undefined {
  if (secret.some((place) => isWithin(place, folder))) {
    return ownHit(folder, 'The key that seals waiting calls lies in there, and no tool may read it.')
  }
  if (access === 'write' && own.some((place) => isWithin(place, folder))) {
    const message = 'Toolcrib’s own settings or records lie in there; a person decides about it.'
    return { path: folder, isOwn: false, message }
  }
  if (home === undefined || !isWithin(home, folder)) return undefined
  return { path: folder, isOwn: false, message: 'Keys lie in there; a person decides about it every time.' }
}

function ownHit(path: string, message: string): ProtectedHit {
  return { path, isOwn: true, message }
}

/** Text that the shell has yet to expand is protected if it could name something protected. */
function meets(segment: string, names: ReadonlySet<string>, isGlob: boolean): boolean {
  if (!isGlob) return names.has(segment)
  if (!isWild(segment)) return names.has(plainName(segment))
  return [...names].some((name) => segmentsOverlap(name, segment))
}

/** By name in any folder. A wildcard at the start of the name would match far too much; own paths are known separately. */
function isOwnFile(name: string, isGlob: boolean): boolean {
  if (!isGlob || !isWild(name)) return OWN_FILE.test(isGlob ? plainName(name) : name)
  return !/^[*?[]/.test(name) && OWN_FILES.some((file) => segmentsOverlap(file, name))
}

function isIn({ path, isGlob }: OnePath, paths: readonly string[]): boolean {
  if (!isGlob) return paths.some((each) => isWithin(path, each))
  const globbed = segmentsOf(path)
  return paths.some((place) =>
    mayOverlap({ segments: segmentsOf(place).map(escapeWildcards), isAnywhere: false }, globbed),
  )
}

export function isWithin(path: string, folder: string): boolean {
  if (!path.startsWith(folder)) return false
  return path.length === folder.length || folder.endsWith('/') || path.charCodeAt(folder.length) === 47
}
