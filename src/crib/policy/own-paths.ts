import { homedir, tmpdir, userInfo } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { configHome } from '../../platform/config/config-home.js'
import { startedProcessesFolder } from '../../platform/processes/started-processes.js'
import { isWithin, type ProtectedPlaces } from '../../policy/protected-paths.js'
import { STORE_FILE } from '../../storage/default-store.js'
import { followLinks } from '../../platform/files/follow-links.js'
import type { LoadedRules } from '../../policy/files/loaded-rules.js'
import { keyFilePath } from '../../approvals/load-seal-key.js'
import { ruleFiles } from '../../policy/files/rule-files.js'
import { serveTokenPath } from '../../credentials/gateway-token.js'
import { tokenFolder } from '../../sources/mcp/oauth/file-token-storage.js'

/** What no tool may read or write, whoever allows it: the records, the rules, who is trusted, and above all the keys. */
export function ownPlaces(
  { location, blobs }: { location: string; blobs?: string },
  layers: readonly Pick<LoadedRules, 'path'>[] = [],
): ProtectedPlaces {
  const payloads = blobs !== undefined && isAbsolute(blobs) ? [blobs] : []
  const rules = [...layers, ...ruleFiles(undefined)].flatMap(({ path }) => (path === undefined ? [] : [path]))
  return {
    own: withTargets([
      ...(isAbsolute(location) ? storeFiles(location) : []),
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

function storeFiles(path: string): string[] {
  return [path, `${path}-wal`, `${path}-shm`, `${path}-journal`, `${path.replace(/\.db$/, '')}.blobs`]
}

/** The user's own records, also where this crib keeps its own elsewhere. */
function userState(): string[] {
  const folder = dirname(keyFilePath())
  const files = [...storeFiles(join(folder, STORE_FILE)), join(folder, 'blobs'), spoolFolder()]
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
