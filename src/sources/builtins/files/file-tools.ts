import { homedir } from 'node:os'
import { join } from 'node:path'
import { stateFolder } from '../../../platform/config/state-folder.js'
import { followLinks } from '../../../platform/files/follow-links.js'
import { isWithin } from '../../../policy/protected-paths.js'
import type { OpenBuiltin } from '../builtin.js'
import { createFileRoots } from './access/file-roots.js'
import { editFileTool } from './change/edit-file-tool.js'
import { moveFileTool } from './change/move-file-tool.js'
import { writeFileTool } from './change/write-file-tool.js'
import type { FileEnvironment } from './file-environment.js'
import { globFilesTool } from './glob-files-tool.js'
import { listFilesTool } from './list-files-tool.js'
import { readFileTool } from './read/read-file-tool.js'
import { findRipgrep } from './search/find-candidates.js'
import { searchFilesTool } from './search/search-files-tool.js'
import { createSeenFiles } from './seen-files.js'
import { deleteFileTool } from './trash/delete-file-tool.js'
import { restoreFileTool } from './trash/restore-file-tool.js'
import { createTrash } from './trash/trash.js'
import { parseGlob } from './walk/glob-pattern.js'

/** Files that usually hold keys and passwords. */
const PRIVATE = [
  '.env',
  '.env.*',
  '*.pem',
  '*.key',
  '*.p12',
  '*.pfx',
  'id_rsa',
  'id_ecdsa',
  'id_ed25519',
  '.netrc',
  '.pgpass',
]

/** The file tools, in the folders that the settings name. */
export const open: OpenBuiltin<'files'> = async (settings, { folder, env, storage }) => {
  const { roots = [], trash: hasTrash = true, private: hidden = PRIVATE } = settings
  const tests = hidden.flatMap((pattern) => parseGlob(pattern) ?? [])
  const state = stateFolder({ env, platform: process.platform, home: homedir() })
  const trash = hasTrash ? createTrash(join(state, 'trash')) : undefined
  const fileRoots = createFileRoots(roots, folder)
  // Patterns with a folder begin at a root; patterns without one match in any folder.
  const starts = [...new Set([...fileRoots.folders, ...fileRoots.folders.map(followLinks), '/'])]
  const files: FileEnvironment = {
    roots: fileRoots,
    protectedPaths: storage.protectedPaths,
    isPrivate: (path) =>
      starts.some((start) => {
        if (!isWithin(path, start)) return false
        const segments = path
          .slice(start.length)
          .split('/')
          .filter((segment) => segment !== '')
        return tests.some((test) => test(segments))
      }),
    seen: createSeenFiles(),
    trash,
  }
  return {
    drafts: [
      readFileTool(files),
      listFilesTool(files),
      globFilesTool(files),
      searchFilesTool(files, findRipgrep(env)),
      writeFileTool(files),
      editFileTool(files),
      moveFileTool(files),
      deleteFileTool(files),
      ...(trash ? [restoreFileTool(files, trash)] : []),
    ],
  }
}
