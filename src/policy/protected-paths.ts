import { basename } from 'node:path'
import { mayOverlap, segmentsOverlap } from './patterns/overlap.js'
import { escapeWildcards, isWild, plainName, segmentsOf } from './patterns/path-pattern.js'
import type { TouchedPath } from './commands/touched.js'

/** Places whose content decides what programs do later, or who somebody is. */
export interface ProtectedPaths {
  /** Our own settings, rules, records and keys: no tool reads or writes there, whoever says so. */
  readonly own: readonly string[]
  /** Our own secrets: no tool even reads them. */
  readonly secret?: readonly string[] | undefined
  /** Where keys are kept below. */
  readonly home?: string | undefined
}

export interface ProtectedHit {
  readonly path: string
  readonly isOwn: boolean
  readonly message: string
}

/** Folders and files that hold keys: reading them is asked about too. */
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

/** Folders whose content is run or obeyed by other programs. */
const OBEYED = new Set(['.git', '.claude', '.husky', '.vscode', '.idea', '.cursor', '.devcontainer'])

const OBEYED_BELOW_CONFIG = new Set(['fish', 'autostart', 'systemd', 'git', 'toolcrib'])

/** Our records in any folder. */
const OWN_FOLDERS = new Set(['.toolcrib'])

/** Our settings in any folder, by name. */
const OWN_FILE = /^toolcrib(?:\.local|\.config)?\.(?:ya?ml|json|[cm]?[jt]s)$/
const OWN_FILES = ['', '.local', '.config'].flatMap((kind) =>
  ['yaml', 'yml', 'json', 'js', 'mjs', 'cjs', 'ts', 'mts', 'cts'].map(
    (ending) => `toolcrib${kind}.${ending}`,
  ),
)

/** What is protected among the touched paths; our own places first. */
export function findProtected(
  paths: readonly TouchedPath[],
  places: ProtectedPaths,
): ProtectedHit | undefined {
  let asked: ProtectedHit | undefined
  let unread: ProtectedHit | undefined
  for (const { path, real, access, isGlob, walk, basis } of paths) {
    // A path of another machine is no place of this one.
    if (basis === 'remote') continue
    for (const each of path === real ? [path] : [path, real]) {
      const hit =
        protectedAt({ path: each, access, isGlob, basis }, places) ??
        (walk && !isGlob ? softened(protectedBelow(each, access, places), basis) : undefined) ??
        (basis === 'name' ? keyBelow(each, places) : undefined)
      // Who would change it is told so, also where it would be read first.
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

/** The settings of a project are read by whoever works on it; they are only never written. */
const isClosed = (place: string): boolean => !OWN_FILE.test(basename(place).toLowerCase())

/** A word that happens to be a folder's name, such as "/", is no proof that the folder is meant. */
function softened(hit: ProtectedHit | undefined, basis: TouchedPath['basis']): ProtectedHit | undefined {
  return hit?.isOwn && (basis === 'value' || basis === 'content') ? { ...hit, isOwn: false } : hit
}

/** A folder with a key in it, handed to a tool of which nobody knows whether it goes in. */
function keyBelow(folder: string, { secret = [] }: ProtectedPaths): ProtectedHit | undefined {
  if (!secret.some((place) => isWithin(place, folder))) return undefined
  const message = 'The key that seals waiting calls lies in there; a person decides about it every time.'
  return { path: folder, isOwn: false, message }
}

/** Whether a path is one of ours by its place or by its name, so that some way of touching it is refused. */
export function isOwnPlace(path: string, { own, secret = [] }: ProtectedPaths): boolean {
  const isAt = (place: string): boolean => isWithin(path, place)
  if (own.some(isAt) || secret.some(isAt)) return true
  if (!/toolcrib/i.test(path)) return false
  const segments = segmentsOf(path).map((segment) => segment.toLowerCase())
  return OWN_FILE.test(segments.at(-1) ?? '') || segments.some((each) => OWN_FOLDERS.has(each))
}

/** What is protected in a folder that is gone into. */
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

/** What the shell has yet to expand is protected where it could name something that is. */
function meets(segment: string, names: ReadonlySet<string>, isGlob: boolean): boolean {
  if (!isGlob) return names.has(segment)
  if (!isWild(segment)) return names.has(plainName(segment))
  return [...names].some((name) => segmentsOverlap(name, segment))
}

/** By name in any folder. A wildcard that starts the name would take far too much; places of ours are known besides. */
function isOwnFile(name: string, isGlob: boolean): boolean {
  if (!isGlob || !isWild(name)) return OWN_FILE.test(isGlob ? plainName(name) : name)
  return !/^[*?[]/.test(name) && OWN_FILES.some((file) => segmentsOverlap(file, name))
}

function isIn({ path, isGlob }: OnePath, places: readonly string[]): boolean {
  if (!isGlob) return places.some((place) => isWithin(path, place))
  const globbed = segmentsOf(path)
  return places.some((place) =>
    mayOverlap({ segments: segmentsOf(place).map(escapeWildcards), isAnywhere: false }, globbed),
  )
}

export function isWithin(path: string, folder: string): boolean {
  if (!path.startsWith(folder)) return false
  return path.length === folder.length || folder.endsWith('/') || path.charCodeAt(folder.length) === 47
}
