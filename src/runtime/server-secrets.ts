import { secretsOfEnvironment, isSecretValue } from '../foundation/redaction/secrets-of-environment.js'
import type { McpServerSettings } from '../supply/sources/mcp/server-settings.js'

export interface TakenVariable {
  name: string
  value: string
}

/** Variables that say where one is and who one is: hidden, they would make every path unreadable. */
const PLACES =
  /^(?:HOME|USER|USERNAME|USERPROFILE|LOGNAME|PATH|PWD|SHELL|LANG|TMPDIR|TEMP|TMP|HOSTNAME|APPDATA|LOCALAPPDATA|workspaceFolder|userHome)$|^(?:LC|XDG)_/
/** Headers that describe a message and prove nothing. */
const PLAIN_HEADERS =
  /^(?:accept(?:-.*)?|content-.*|user-agent|cache-control|mcp-protocol-version|origin|referer)$/i
const SCHEME = /^(?:bearer|basic|token|apikey|digest)\s+/i

/** What of one server's settings must not show: header values, what came from variables, and what its names call secret. */
export function secretsOfServer(
  { env = {}, headers = {}, oauth }: McpServerSettings,
  taken: readonly TakenVariable[],
): string[] {
  const secrets = new Set(secretsOfEnvironment(env))
  for (const { name, value } of taken) if (!PLACES.test(name) && isSecretValue(value)) secrets.add(value)
  for (const [name, value] of Object.entries(headers)) {
    if (PLAIN_HEADERS.test(name) || value === '') continue
    secrets.add(value)
    secrets.add(value.replace(SCHEME, ''))
  }
  if (oauth?.clientSecret !== undefined) secrets.add(oauth.clientSecret)
  return [...secrets]
}
