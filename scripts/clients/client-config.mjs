import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The usual file of a client, with Toolcrib as its one server. */
export function writeClientConfig({ stdio, http, workspace }) {
  const path = join(workspace.folder, 'client.json')
  const { command, args, env, cwd } = stdio ?? {}
  const entry = stdio ? { command, args, env, cwd } : { type: 'http', url: http.url, headers: http.headers }
  writeFileSync(path, JSON.stringify({ mcpServers: { toolcrib: entry } }, undefined, 2))
  return path
}
