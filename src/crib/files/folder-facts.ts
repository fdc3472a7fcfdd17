import { findGitProblem } from '../../platform/git/find-git-problem.js'
import type { FolderFacts } from '../../shell/folder-facts.js'
import { isFolderTrusted } from '../../platform/trust/folder-trust.js'

/** The current state of folders on disk. */
export const folderFacts: FolderFacts = {
  gitProblem: (folder, use) => findGitProblem(folder, use),
  isTrusted: (folder) => isFolderTrusted(folder),
  get hasSearchPath() {
    return (process.env['CDPATH'] ?? '') !== ''
  },
}
