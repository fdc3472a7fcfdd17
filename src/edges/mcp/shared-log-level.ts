import type { McpServers } from '../../sources/mcp/mcp-server.js'
import { logLevels, type LogLevel } from './log-levels.js'

/** Servers that sessions share log as much as the one who wants most; each session hears what it asked for. */
export interface SharedLogLevel {
  set(session: string, level: LogLevel): void
  leave(session: string): void
}

export function createSharedLogLevel(servers: McpServers | undefined): SharedLogLevel {
  const wanted = new Map<string, LogLevel>()
  let told: LogLevel | undefined

  function tell(): void {
    const least = logLevels.find((level) => [...wanted.values()].includes(level))
    if (least === undefined || least === told) return
    told = least
    // A server that does not take it logs as it did.
    for (const server of servers?.servers ?? []) server.setLogLevel(least).catch(() => {})
  }

  // One that comes later is told what the others were.
  servers?.onChange(() => {
    if (told === undefined) return
    for (const server of servers.servers) server.setLogLevel(told).catch(() => {})
  })

  return {
    set(session, level) {
      wanted.set(session, level)
      tell()
    },
    leave(session) {
      if (wanted.delete(session)) tell()
    },
  }
}
