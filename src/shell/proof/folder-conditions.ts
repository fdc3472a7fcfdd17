import { posix } from 'node:path'
import type { GitUse } from '../../platform/git/is-harmless-setting.js'
import type { FolderFacts, FolderReliance } from '../folder-facts.js'
import type { ShellContext } from '../shell-reading.js'

interface Condition {
  readonly on: FolderReliance
  /** The folder that the command goes to first, relative to its start; empty if it stays. */
  readonly at: string
  /** The command, for the reason. */
  readonly name: string
}

const MAX_FOLDERS = 16
// Most scripts change no folder: one shared empty list.
const STAYS: readonly string[] = []

// Everything that may run a part of a script more than once: a relative `cd` leads further each time.
const REPEATS = /\b(?:for|while|until|select|repeat|function|trap|eval|source)\b|\(\s*\)/

/**
 * The conditions that the commands of a script have on their working folders. A command may run in any folder of the
 * script, in any order: a `cd` can fail, and a loop repeats.
 */
export class FolderConditions {
  readonly #conditions: Condition[] = []
  #moves: readonly string[] = STAYS
  #isLost = false

  /** The working folder changes; to an unknown one if none is named. */
  moves(to: string | undefined): void {
    if (to === undefined) this.#isLost = true
    else this.#moves = [...this.#moves, to]
  }

  relies(condition: Condition): void {
    const { on, at } = condition
    if (!this.#conditions.some((each) => each.on === on && each.at === at)) this.#conditions.push(condition)
  }

  /** The script goes to an unknown folder. */
  get isLost(): boolean {
    return this.#isLost
  }

  get isEmpty(): boolean {
    return this.#conditions.length === 0
  }

  /** The first condition that does not hold, as a sentence. */
  problem(text: string, { cwd, folders: facts }: ShellContext): string | undefined {
    if (this.isEmpty) return undefined
    const [first] = this.#conditions
    if (facts === undefined) return notLookedAt(first!)
    const folders = this.#foldersFrom(cwd, text, facts)
    if (folders === undefined) return `${first!.name} would obey what lies in a folder that is not known.`
    for (const { on, at, name } of this.#conditions) {
      for (const folder of folders) {
        const problem =
          at === ''
            ? problemIn(folder, on, name, facts)
            : firstOf(placesOf(folder, at), (each) => problemIn(each, on, name, facts))
        if (problem !== undefined) return problem
      }
    }
    return undefined
  }

  #foldersFrom(cwd: string, text: string, { hasSearchPath }: FolderFacts): readonly string[] | undefined {
    if (this.#isLost) return undefined
    let folders = [cwd]
    if (this.#moves.length === 0) return folders
    for (const to of this.#moves) {
      if (!to.startsWith('/') && (hasSearchPath || REPEATS.test(text))) return undefined
      folders = [...new Set([...folders, ...folders.flatMap((folder) => placesOf(folder, to))])]
      if (folders.length > MAX_FOLDERS) return undefined
    }
    return folders
  }
}

function firstOf(
  folders: readonly string[],
  find: (folder: string) => string | undefined,
): string | undefined {
  for (const folder of folders) {
    const problem = find(folder)
    if (problem !== undefined) return problem
  }
  return undefined
}

/** Where a path leads. After a link, `..` is another folder to the shell than to the system: both are checked. */
function placesOf(folder: string, path: string): readonly string[] {
  if (path === '') return [folder]
  const written = path.startsWith('/') ? path : `${folder}/${path}`
  return path.includes('..') ? [written, posix.resolve(written)] : [posix.resolve(written)]
}

function problemIn(folder: string, on: FolderReliance, name: string, facts: FolderFacts): string | undefined {
  if (on !== 'folder') return facts.gitProblem(folder, on.slice('git '.length) as GitUse)
  if (facts.isTrusted(folder)) return undefined
  return `${name} obeys files of ${folder}, which is not trusted.`
}

function notLookedAt({ on, name }: Condition): string {
  if (on !== 'folder') return `${name} would obey the configuration of a repository that was not checked.`
  return `${name} would obey files of a folder that was not checked.`
}
