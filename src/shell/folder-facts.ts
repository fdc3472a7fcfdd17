import type { GitUse } from '../platform/git/is-harmless-setting.js'

/** What of the folder in which it runs a command obeys: the configuration of a repository, or any file that is there. */
export type FolderReliance = `git ${GitUse}` | 'folder'

/** What only the disk knows of a folder. It is asked when a command obeys what lies there, and then each time. */
export interface FolderFacts {
  /** Why git should not be run in this folder, in one sentence; undefined where its repository makes git do nothing. */
  gitProblem(folder: string, use: GitUse): string | undefined
  /** Whether a person said that what lies in this folder may name programs to run. */
  isTrusted(folder: string): boolean
  /** `cd` looks for folders in other places than the one where it is. */
  readonly hasSearchPath?: boolean
}
