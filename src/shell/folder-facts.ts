import type { GitUse } from '../platform/git/is-harmless-setting.js'

/** What a command obeys of its working folder: the configuration of a repository, or any file there. */
export type FolderReliance = `git ${GitUse}` | 'folder'

/** Facts about a folder that only the disk knows. Read each time a command obeys files of the folder. */
export interface FolderFacts {
  /** Why git should not run in this folder, in one sentence; undefined if its repository makes git run nothing. */
  gitProblem(folder: string, use: GitUse): string | undefined
  /** Whether a person trusts this folder, whose files may name programs to run. */
  isTrusted(folder: string): boolean
  /** `cd` also searches other folders than the current one. */
  readonly hasSearchPath?: boolean
}
