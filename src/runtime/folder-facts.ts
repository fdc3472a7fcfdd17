import { findGitProblem } from '../foundation/git/find-git-problem.js'
import type { FolderFacts } from '../judgement/shell-reader/folder-facts.js'
import { isFolderTrusted } from './is-folder-trusted.js'

/** What the disk says of folders now. */
export const folderFacts: FolderFacts = {
  gitProblem: (folder, use) => findGitProblem(folder, use),
  isTrusted: (folder) => isFolderTrusted(folder),
  get hasSearchPath() {
    return (process.env['CDPATH'] ?? '') !== ''
  },
}
