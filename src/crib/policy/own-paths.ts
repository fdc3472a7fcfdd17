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
import { keyFilePath } from '../../approvals/load-seal-key.js'
import { ruleFiles } from '../../policy/files/rule-files.js'
import { serveTokenPath } from '../../credentials/gateway-token.js'
import { tokenFolder } from '../../sources/mcp/oauth/file-token-storage.js'

/** What no tool may read or write, whoever allows it: the records, the rules, who is trusted, and above all the keys. */
export function ownPaths(
  { store, blobs }: { store?: Store; blobs?: string },
  layers: readonly Pick<LoadedRules, 'path'>[] = [],
): ProtectedPaths {
  const payloads = blobs !== undefined && isAbsolute(blobs) ? [blobs] : []
  const rules = [...layers, ...ruleFiles(undefined)].flatMap(({ path }) => (path === undefined ? [] : [path]))
  return {
    own: withTargets([
      ...(store ? placesOf(store) : []),
      ...payloads,
      ...rules,
      ...userState(),
      configHome(),
      '/etc/toolcrib',
      ...startedProcessesFolder(),
    ]),
    secret: withTargets([keyFilePath(), serveTokenPath(), tokenFolder()]),
    home: homedir(),
  }
}

/** The files of a store, and where its large things go unless they are kept elsewhere. */
function placesOf(store: Store): string[] {
  const files = store.files()
  return files.length === 0 ? [] : [...files, blobsBeside(store)]
}

/** The user's own records, also where this crib keeps its own elsewhere. */
function userState(): string[] {
  const folder = dirname(keyFilePath())
  const store = openStore({ kind: 'sqlite', path: join(folder, STORE_FILE) })
  const files = [...placesOf(store), join(folder, 'blobs'), spoolFolder()]
  // Whoever has put the state above the work would otherwise reach nothing at all.
  return isWithin(process.cwd(), folder) ? files : [folder, ...files]
}

/** Where payloads wait for their way to a store elsewhere. */
function spoolFolder(): string {
  return join(tmpdir(), `toolcrib-blobs-${userInfo().uid}`)
}

/** Also by where a link to it leads: whoever writes there changes the same file. */
function withTargets(places: readonly string[]): string[] {
  return [...new Set(places.flatMap((place) => [place, followLinks(place)]))]
}
