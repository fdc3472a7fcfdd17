import { realpathSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { homedir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ownPackage } from '../files/own-package.js'
import { isObject } from '../json/is-object.js'
import type { CachedFileSystem } from './cached-file-system.js'

const ENDINGS = ['.js', '.mjs', '.cjs', '.ts', '.mts', '.cts', '.tsx', '.jsx', '.json', '.node']
/** TypeScript imports name the file that a compiler would write. */
const COMPILED = /\.([cm]?)js$/

/** This package: its own code is already running. */
const OWN_PACKAGE = realpathSync(ownPackage())

/** Whether a file belongs to the running program: the user who started it trusts it. */
export function isOwnCode(path: string): boolean {
  return path.startsWith(`${OWN_PACKAGE}/lib/`) || path.startsWith(`${OWN_PACKAGE}/dist/`)
}

/**
 * Everything that an answer depends on besides the files: the same import may mean another file where one of these
 * differs.
 */
export function resolutionSettings(): readonly unknown[] {
  return [OWN_PACKAGE, ...sharedFolders()]
}

export interface ImportingFile {
  readonly file: string
  readonly fileSystem: CachedFileSystem
}

/** Every file that an import may mean, in any loader: one file too many costs only a hash. */
export function resolveImport(specifier: string, { file: fromFile, fileSystem }: ImportingFile): string[] {
  const start = { folder: dirname(fromFile), fileSystem }
  const at = (path: string): string[] => filesAt(path, fileSystem)
  if (/^\s*file:/i.test(specifier)) return pathOfUrl(specifier).flatMap(at)
  if (/^(?:\.{1,2}(?:[/\\]|$)|\/)/.test(specifier)) {
    // `require` uses a name as written; an import parses it as a URL, with a query and percent-encoding.
    const paths = [resolve(start.folder, specifier), ...pathOfUrl(specifier, pathToFileURL(fromFile).href)]
    return [...new Set(paths)].flatMap(at)
  }
  if (specifier.startsWith('#')) return packageImport(specifier, start)
  if (specifier === '' || isBuiltin(specifier) || /^[a-z][a-z\d+-]*:/i.test(specifier)) return []
  return packageFiles(specifier, start)
}

interface Start {
  readonly folder: string
  readonly fileSystem: CachedFileSystem
}

/** The file, its possible extensions, and the entry files of a folder. */
export function filesAt(path: string, fileSystem: CachedFileSystem): string[] {
  const kind = fileSystem.kindOf(path)
  const asSource = path.replace(COMPILED, '.$1ts')
  if (kind === 'file') return [path, ...existing([asSource], fileSystem)]
  const beside = existing([...ENDINGS.map((ending) => `${path}${ending}`), asSource], fileSystem)
  return kind === 'folder' ? [...beside, ...folderFiles(path, fileSystem)] : beside
}

/** What runs where a program is given a folder. */
function folderFiles(folder: string, fileSystem: CachedFileSystem): string[] {
  const manifest = join(folder, 'package.json')
  const value = fileSystem.readManifest(manifest)
  const mains = [value?.['main'], value?.['module']].filter((main) => typeof main === 'string')
  const named = [
    manifest,
    ...mains
      .map((main) => resolve(folder, main))
      .flatMap((main) => [main, ...ENDINGS.map((ending) => `${main}${ending}`), ...indexFiles(main)]),
    ...indexFiles(folder),
    join(folder, '__main__.py'),
    join(folder, '__init__.py'),
  ]
  return existing(named, fileSystem)
}

const indexFiles = (folder: string): string[] => ENDINGS.map((ending) => join(folder, `index${ending}`))

/** `#name`, as the nearest package.json says. */
function packageImport(specifier: string, { folder: from, fileSystem }: Start): string[] {
  for (const folder of upward(from)) {
    const manifest = join(folder, 'package.json')
    const value = fileSystem.readManifest(manifest)
    if (!value) continue
    const targets = targetsOf(value['imports'], specifier).flatMap((target) =>
      target.startsWith('.')
        ? decoded(target).flatMap((each) => filesAt(resolve(folder, each), fileSystem))
        : packageFiles(target, { folder, fileSystem }),
    )
    return [manifest, ...targets]
  }
  return []
}

/** A package by its name: the one that a file is part of, or any installed one that the loaders would find. */
function packageFiles(specifier: string, { folder: from, fileSystem }: Start): string[] {
  const words = specifier.split('/')
  const name = words.splice(0, specifier.startsWith('@') ? 2 : 1).join('/')
  const below = words.length === 0 ? '.' : `./${words.join('/')}`
  const own = [...upward(from)].filter(
    (folder) => fileSystem.readManifest(join(folder, 'package.json'))?.['name'] === name,
  )
  // Some loaders go on upward where a folder of the name exists but has nothing that they can load.
  const installed = [...[...upward(from)].map((folder) => join(folder, 'node_modules')), ...sharedFolders()]
  return [
    ...own.flatMap((folder) => filesInPackage(below, { folder, fileSystem })),
    ...installed
      .filter((folder) => fileSystem.kindOf(folder) === 'folder')
      .flatMap((folder) => [
        ...filesInPackage(below, { folder: join(folder, name), fileSystem }),
        ...filesBeside(join(folder, specifier), fileSystem),
      ]),
  ]
}

function filesInPackage(below: string, { folder: root, fileSystem }: Start): string[] {
  if (fileSystem.kindOf(root) !== 'folder') return []
  const real = fileSystem.realPath(root)
  if (real === OWN_PACKAGE) return []
  const manifest = join(real, 'package.json')
  const { exports } = fileSystem.readManifest(manifest) ?? {}
  // Targets of an import are percent-encoded as well.
  const targets = (exports === undefined ? [below] : targetsOf(exportsOf(exports), below)).flatMap(decoded)
  return [
    ...existing([manifest], fileSystem),
    ...targets.flatMap((target) => filesAt(resolve(real, target), fileSystem)),
  ]
}

/** A package of one file: `node_modules/name.js`. */
function filesBeside(path: string, fileSystem: CachedFileSystem): string[] {
  if (fileSystem.kindOf(path) !== 'folder') return decoded(path).flatMap((each) => filesAt(each, fileSystem))
  const named = ENDINGS.map((ending) => `${path}${ending}`)
  return existing(named, fileSystem)
}

/** The last folders that `require` searches. */
function sharedFolders(): string[] {
  const named = (process.env['NODE_PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')
  const folders = named.map((folder) => resolve(folder))
  return [...folders, join(homedir(), '.node_modules'), join(homedir(), '.node_libraries')]
}

/** A package with one export may omit its name. */
function exportsOf(exports: unknown): unknown {
  const isTable = isObject(exports) && Object.keys(exports).every((key) => key.startsWith('.'))
  return isTable ? exports : { '.': exports }
}

/** The targets of a name in `imports` or `exports`, under every condition. */
function targetsOf(table: unknown, name: string): string[] {
  if (!isObject(table)) return []
  return Object.entries(table).flatMap(([key, value]) => {
    if (key === name) return leavesOf(value)
    const [start = '', end] = key.split('*')
    const fits = end !== undefined && name.startsWith(start) && name.endsWith(end)
    if (!fits || name.length < key.length - 1) return []
    const part = name.slice(start.length, name.length - end.length)
    return leavesOf(value).map((leaf) => leaf.replaceAll('*', part))
  })
}

function leavesOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([condition, member]) =>
    condition === 'types' ? [] : leavesOf(member),
  )
}

function pathOfUrl(url: string, base?: string): string[] {
  try {
    const { pathname } = new URL(url, base)
    return decoded(pathname)
  } catch {
    return []
  }
}

/** As written, and percent-decoded: `%70` is `p`. */
function decoded(path: string): string[] {
  if (!path.includes('%')) return [path]
  try {
    return [path, decodeURIComponent(path)]
  } catch {
    return [path]
  }
}

function* upward(from: string): Iterable<string> {
  for (let folder = from; ; folder = dirname(folder)) {
    yield folder
    if (dirname(folder) === folder) return
  }
}

function existing(paths: readonly string[], fileSystem: CachedFileSystem): string[] {
  return paths.filter((path) => fileSystem.kindOf(path) === 'file')
}
