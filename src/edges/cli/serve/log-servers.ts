import type { McpServer, McpServers, ServerHealth } from '../../../sources/mcp/mcp-server.js'
import { durationText } from '../terminal/duration-text.js'
import { oneLine } from '../../../platform/text/printable.js'
import { reasonText } from '../../../host/sources/reason-text.js'
import type { Terminal } from '../terminal/terminal.js'

/** Prints one line when a server becomes ready, fails or changes. Returns a function that stops it. */
export function logServers(mcp: McpServers, terminal: Terminal, isJson: boolean): () => void {
  const ends = new Map<McpServer, () => void>()

  function logServer(server: McpServer): () => void {
    let logged = ''
    const log = (): void => {
      const health = server.health()
      const words = healthText(server)
      // Not reported: the first idle state, an unchanged state, and the retries of a failed server.
      if (health.state === 'idle' && logged === '') return
      if (health.state === 'connecting' && logged !== '') return
      const state = `${health.state} ${health.tools} ${'reason' in health ? health.reason : ''}`
      if (state === logged) return
      logged = state
      if (isJson) terminal.printJson({ server: server.name, ...health })
      else terminal.explain(`${oneLine(server.name)}: ${words}`, styleOf(health, terminal))
    }
    log()
    return server.onEvent(({ kind }) => {
      if (kind === 'health' || kind === 'tools') log()
    })
  }

  function follow(): void {
    for (const [server, end] of ends) {
      if (mcp.servers.includes(server)) continue
      end()
      ends.delete(server)
    }
    for (const server of mcp.servers) if (!ends.has(server)) ends.set(server, logServer(server))
  }

  follow()
  const stop = mcp.onChange(follow)
  return () => {
    stop()
    for (const end of ends.values()) end()
  }
}

/** The state of a server, in a few words. */
export function healthText(server: Pick<McpServer, 'health' | 'facts'>, now = Date.now()): string {
  const health = server.health()
  const tools = `${health.tools} ${health.tools === 1 ? 'tool' : 'tools'}`
  switch (health.state) {
    case 'connecting':
      return health.said === undefined ? 'connecting' : `connecting: ${oneLine(health.said)}`
    case 'ready':
      return `ready, ${tools}`
    case 'idle':
      return health.tools > 0 ? `stopped until it is needed, ${tools}` : 'not started'
    case 'disabled':
      return 'disabled'
    case 'degraded':
      return `degraded, ${tools}: ${reasonText(health.reason)}`
    case 'failed':
      return `failed: ${reasonText(health.reason, health.said).replace(/\.$/, '')}${retryText(health.nextRetryAt, now)}`
  }
}

function retryText(nextRetryAt: number | undefined, now: number): string {
  if (nextRetryAt === undefined) return ''
  return nextRetryAt > now ? ` (next try in ${durationText(nextRetryAt - now)})` : ' (tries again now)'
}

function styleOf({ state }: ServerHealth, { sayStyle }: Terminal): (line: string) => string {
  switch (state) {
    case 'failed':
    case 'degraded':
      return sayStyle.bad
    case 'ready':
      return (line) => line
    case 'connecting':
    case 'idle':
    case 'disabled':
      return sayStyle.dim
  }
}
