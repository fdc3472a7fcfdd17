import { closeSync, readdirSync, type Dirent } from 'node:fs'
import { join } from 'node:path'
import type { ExecuteContext } from '../../../../catalog/execute-context.js'
import type { ProtectedPaths } from '../../../../policy/protected-paths.js'
import { nextTurn } from '../../../../platform/async/next-turn.js'
import { fileProblem, shown, systemProblem } from '../access/file-problem.js'
import type { FilePlace } from '../access/file-roots.js'
import { inFolder, openFile, openFolder } from '../access/open-checked.js'
import { readWhole } from '../access/read-bytes.js'
import { isIgnored, parseIgnore, type IgnoreRules } from './ignore-rules.js'

export interface WalkedEntry extends FilePlace {
  /** Below the folder where the walk started. */
  readonly segments: readonly string[]
  readonly isFolder: boolean
  /** A regular file; neither it nor a folder: a link or something else. */
  readonly isFile: boolean
}

export interface WalkOptions {
  readonly protectedPaths: ProtectedPaths | undefined
  readonly context: Pick<ExecuteContext, 'mayTouch' | 'signal'>
  /** Whether `.gitignore` files count, and folders of tools such as `node_modules` are left out. */
  readonly obeysIgnore: boolean
}

export interface Walk {
  readonly entries: readonly WalkedEntry[]
  /** How many files and folders the rules keep this call from. */
  readonly leftOut: number
  /** How many folders the system does not let us read. */
  readonly unreadable: number
  /** Whether there was more than a walk takes. */
  readonly isCut: boolean
}

/** Folders that no search is about. */
const SKIPPED = new Set(['.git', '.hg', '.svn', 'node_modules', '.toolcrib'])

const MAX_ENTRIES = 200_000
const MAX_DEPTH = 200
const TURN_MS = 10

/** All files and folders below a folder, by name, without following links. Each folder is opened and checked. */
export async function walkFolder(start: FilePlace, options: WalkOptions): Promise<Walk> {
  const walk = new FolderWalk(options)
  const first = openEntries(start)
  await walk.visit({ place: start, segments: [], ignore: undefined }, first)
  return walk
}

interface Visited {
  readonly place: FilePlace
  readonly segments: readonly string[]
  readonly ignore: IgnoreRules | undefined
}

class FolderWalk implements Walk {
  readonly entries: WalkedEntry[] = []
  leftOut = 0
  unreadable = 0
  isCut = false
  readonly #options: WalkOptions
  #turnEnds = performance.now() + TURN_MS

  constructor(options: WalkOptions) {
    this.#options = options
  }

  async visit({ place, segments, ignore }: Visited, found: readonly Dirent[]): Promise<void> {
    const { obeysIgnore, context } = this.#options
    const rules = obeysIgnore
      ? await this.#ignoreIn(place, found, { depth: segments.length, above: ignore })
      : undefined
    for (const entry of found.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      if (this.entries.length >= MAX_ENTRIES || segments.length > MAX_DEPTH) {
        this.isCut = true
        return
      }
      if (performance.now() > this.#turnEnds) await this.#rest()
      const isFolder = entry.isDirectory()
      const below = [...segments, entry.name]
      if (obeysIgnore && (SKIPPED.has(entry.name) || isIgnored(rules, below, isFolder))) continue
      const path = join(place.path, entry.name)
      const real = join(place.real, entry.name)
      if (!context.mayTouch(path, 'read', real)) {
        this.leftOut++
        continue
      }
      this.entries.push({ path, real, segments: below, isFolder, isFile: entry.isFile() })
      if (isFolder) await this.#enter({ place: { path, real }, segments: below, ignore: rules })
    }
  }

  async #enter(visited: Visited): Promise<void> {
    let found: Dirent[]
    try {
      found = openEntries(visited.place)
    } catch {
      // Removed, replaced by a link, or closed to this user.
      this.unreadable++
      return
    }
    await this.visit(visited, found)
  }

  async #ignoreIn(
    { path, real }: FilePlace,
    found: readonly Dirent[],
    { depth, above }: { depth: number; above: IgnoreRules | undefined },
  ): Promise<IgnoreRules | undefined> {
    const file = found.find(({ name }) => name === '.gitignore')
    if (!file?.isFile()) return above
    const place = { path: join(path, file.name), real: join(real, file.name) }
    try {
      const opened = openFile(place, this.#options.protectedPaths)
      try {
        return { depth, rules: parseIgnore((await readWhole(opened, place.path)).toString('utf8')), above }
      } finally {
        closeSync(opened.descriptor)
      }
    } catch {
      return above
    }
  }

  async #rest(): Promise<void> {
    await nextTurn()
    this.#options.context.signal.throwIfAborted()
    this.#turnEnds = performance.now() + TURN_MS
  }
}

/** The entries of a folder that was opened and checked. */
export function openEntries(place: FilePlace): Dirent[] {
  const folder = openFolder(place)
  try {
    return readdirSync(inFolder(folder, place.real), { withFileTypes: true })
  } catch (error) {
    throw systemProblem(error, place.path)
  } finally {
    closeSync(folder.descriptor)
  }
}

/** Fails if the rules keep this call from anything in a folder that is moved or deleted as a whole. */
export async function checkBelow(
  place: FilePlace,
  access: readonly ('read' | 'write')[],
  { protectedPaths, context }: Pick<WalkOptions, 'protectedPaths' | 'context'>,
): Promise<number> {
  let denied: string | undefined
  const strict = {
    signal: context.signal,
    mayTouch(path: string, _: 'read' | 'write', real?: string): boolean {
      const isAllowed = access.every((each) => context.mayTouch(path, each, real))
      if (!isAllowed) denied ??= path
      return isAllowed
    },
  }
  const walk = await walkFolder(place, { protectedPaths, context: strict, obeysIgnore: false })
  if (denied !== undefined)
    throw fileProblem(
      'denied_below',
      `The rules do not let this call touch ${shown(denied)}, which is in there.`,
    )
  if (walk.unreadable > 0 || walk.isCut)
    throw fileProblem(
      'denied_below',
      `Not all of ${shown(place.path)} can be looked through, so the rules cannot be asked about it.`,
    )
  return walk.entries.length
}
