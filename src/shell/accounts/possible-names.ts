import { resolvePath, type PathBase } from '../detection/resolve-path.js'

/** A path, as a pattern, that the words of a command may name. */
export interface PossibleName {
  readonly path: string
  /** Its wildcards are a program's own: they also match names that start with a dot. */
  readonly seesHidden?: boolean | undefined
  /** Absent if it is unknown whether it is read or written. */
  readonly access?: 'read' | 'write' | undefined
  /** A word of a program that prints no file of this name, such as a number: it is not a link either. */
  readonly isPlain?: boolean | undefined
  /** Everything below it is touched as well. */
  readonly isFolder?: boolean | undefined
}

/** A path relative to a folder. */
export interface FoundName extends PossibleName {
  /** The path before it was resolved. */
  readonly name: string
  /** The word that contains it; absent for files of the program's own, or composed of several words. */
  readonly word: string | undefined
}

/** Names relative to every folder in which a command may run. */
export class PossibleNames {
  readonly #found = new Map<string, FoundName>()

  constructor(private readonly folders: readonly PathBase[]) {}

  get all(): readonly FoundName[] {
    return [...this.#found.values()]
  }

  add(name: PossibleName, word?: string): void {
    this.addFrom(this.folders, name, word)
  }

  /** A name that may also be relative to a folder above: the top of a working tree. */
  addAbove(name: PossibleName): void {
    for (const folder of this.folders) this.addFrom(foldersAbove(folder), name)
  }

  private addFrom(folders: readonly PathBase[], name: PossibleName, word?: string): void {
    const { seesHidden, access = '', isFolder } = name
    for (const folder of folders) {
      const path = resolvePath(name.path, folder)
      const key =
        seesHidden || isFolder || access !== '' ? `${access} ${seesHidden} ${isFolder} ${path}` : path
      if (!this.#found.has(key)) this.#found.set(key, { ...name, path, name: name.path, word })
    }
  }
}

function foldersAbove(base: PathBase): PathBase[] {
  const folders = [base]
  for (let { cwd } = base; cwd.length > 1;) {
    cwd = cwd.slice(0, Math.max(1, cwd.lastIndexOf('/')))
    folders.push({ ...base, cwd })
  }
  return folders
}
