import { homedir, tmpdir, userInfo } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { configHome } from '../../platform/config/config-home.js'
import { startedProcessesFolder } from '../../platform/processes/started-processes.js'
import { isWithin, type ProtectedPaths } from '../../policy/protected-paths.js'
import { openStore } from '../../storage/open-store.js'
import type { Store } from '../../storage/store.js'
import { STORE_FILE } from '../../storage/default-store.js'
import { blobsBeside } from '../results/open-blobs.js'
import { followLinks } from '../../platform/files/follow-links.js'
import type { LoadedRules } from '../../policy/files/loaded-rules.js'
import { keyFilePath } from '../../platform/sealing/user-keys.js'
import { ruleFiles } from '../../policy/files/rule-files.js'
import { ownerTokenPath, serveTokenPath } from '../../credentials/gateway-token.js'
import { secretsFilePath } from '../../credentials/secrets/secret-store.js'
import { secretPaths } from '../../sources/kinds.js'

/** Paths that no tool may read or write, whatever the rules allow: records, rules, trust and, above all, keys. */
export function ownPaths(
  { store, blobs }: { store?: Store; blobs?: string },
  layers: readonly Pick<LoadedRules, 'path'>[] = [],
): ProtectedPaths {
  const payloads = blobs !== undefined && isAbsolute(blobs) ? [blobs] : []
  const rules = [...layers, ...ruleFiles(undefined)].flatMap(({ path }) => (path === undefined ? [] : [path]))
  return {
    own: withTargets([
      ...(store ? pathsOf(store) : []),
      ...payloads,
      ...rules,
      ...userState(),
      configHome(),
      '/etc/toolcrib',
      ...startedProcessesFolder(),
    ]),
    secret: withTargets([
      keyFilePath(),
      serveTokenPath(),
      ownerTokenPath(),
      secretsFilePath(),
      ...secretPaths(),
    ]),
    home: homedir(),
  }
}

/** The files of a store, and the default folder of its blobs. */
function pathsOf(store: Store): string[] {
  const files = store.files()
  return files.length === 0 ? [] : [...files, blobsBeside(store)]
}

/** The user's own records, also if this crib stores its records elsewhere. */
function userState(): string[] {
  const folder = dirname(keyFilePath())
  const store = openStore({ kind: 'sqlite', path: join(folder, STORE_FILE) })
  const files = [...pathsOf(store), join(folder, 'blobs'), spoolFolder()]
  // If the state folder contains the working folder, protecting it would deny everything.
  return isWithin(process.cwd(), folder) ? files : [folder, ...files]
}

/** The folder of payloads that are being uploaded to a remote store. */
function spoolFolder(): string {
  return join(tmpdir(), `toolcrib-blobs-${userInfo().uid}`)
}

/** Includes the targets of links, because a write through a link changes the same file. */
function withTargets(paths: readonly string[]): string[] {
  return [...new Set(paths.flatMap((path) => [path, followLinks(path)]))]
}
