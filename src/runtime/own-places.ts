import { homedir } from 'node:os'
import { isAbsolute } from 'node:path'
import type { ProtectedPlaces } from '../judgement/policy/protected-paths.js'
import { startedProcessesFolder } from '../foundation/processes/started-processes.js'
import { followLinks } from './follow-links.js'
import type { LoadedRules } from './load-rules.js'
import { keyFilePath } from './load-seal-key.js'
import { configHome } from '../foundation/config/config-home.js'
import { serveTokenPath } from './serve-token.js'

/** What no tool may write, whoever allows it: the records, the rules, who is trusted; and the keys, which none may read. */
export function ownPlaces(
  { location, blobs }: { location: string; blobs?: string },
  layers: readonly Pick<LoadedRules, 'path'>[] = [],
): ProtectedPlaces {
  const records = isAbsolute(location) ? [location, `${location}-wal`, `${location}-shm`] : []
  const payloads = blobs !== undefined && isAbsolute(blobs) ? [blobs] : []
  const rules = layers.flatMap(({ path }) => (path === undefined ? [] : [path]))
  return {
    own: withTargets([
      ...records,
      ...payloads,
      ...rules,
      configHome(),
      '/etc/toolcrib',
      ...startedProcessesFolder(),
    ]),
    secret: withTargets([keyFilePath(), serveTokenPath()]),
    home: homedir(),
  }
}

/** Also by where a link to it leads: whoever writes there changes the same file. */
function withTargets(places: readonly string[]): string[] {
  return [...new Set(places.flatMap((place) => [place, followLinks(place)]))]
}
