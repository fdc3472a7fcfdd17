import type { McpServers } from '../../sources/mcp/mcp-server.js'
import { logLevels, type LogLevel } from './log-levels.js'

/** Shared servers log at the lowest level that a session requested; each session gets the messages of its own level. */
export interface SharedLogLevel {
  set(session: string, level: LogLevel): void
  leave(session: string): void
}

export function createSharedLogLevel(servers: McpServers | undefined): SharedLogLevel {
  const wanted = new Map<string, LogLevel>()
  let applied: LogLevel | undefined

  function apply(): void {
    const least = logLevels.find((level) => [...wanted.values()].includes(level))
    if (least === undefined || least === applied) return
    applied = least
    // A server that does not accept the level keeps its own.
    for (const server of servers?.servers ?? []) server.setLogLevel(least).catch(() => {})
  }

  // A server that connects later gets the same level.
  servers?.onChange(() => {
    if (applied === undefined) return
    for (const server of servers.servers) server.setLogLevel(applied).catch(() => {})
  })

  return {
    set(session, level) {
      wanted.set(session, level)
      apply()
    },
    leave(session) {
      if (wanted.delete(session)) apply()
    },
  }
}
