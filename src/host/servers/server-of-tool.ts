import { safeServerName } from '../../sources/mcp/tools/safe-name.js'
import type { CribSettings } from '../crib-settings.js'

export interface ServerPart {
  server: string
  /** What comes after the name of the server; absent where only that was given. */
  tool?: string
}

/** Which server of a config a name speaks of: `mcp.notes.write`, `mcp__notes__write`, `notes.write` or `notes`. */
export function serverOfTool({ config }: Pick<CribSettings, 'config'>, name: string): ServerPart | undefined {
  const servers = Object.keys(config.mcpServers ?? {}).toSorted((a, b) => b.length - a.length)
  for (const server of servers) {
    for (const word of new Set([server, safeServerName(server)])) {
      if (name === word || name === `mcp.${word}`) return { server }
      for (const start of [`mcp.${word}.`, `mcp__${word}__`, `${word}__`, `${word}.`])
        if (name.startsWith(start)) return { server, tool: name.slice(start.length) }
    }
  }
  return undefined
}
