import type { SeenSource } from '../../../host/sources/look-at-sources.js'
import type { SeenServer } from '../../../sources/mcp/servers/server-snapshot.js'

/** One server, or a source of another kind, as it is printed for programs. */
export interface ServerRow {
  name: string
  state: string
  tools: number
  /** Of a source that is no MCP server: the key of its kind in the config. */
  kind?: string
  transport?: 'stdio' | 'http' | 'sse'
  protocol_version?: string
  reason?: string
  /** What it wrote that tells why it does not answer. */
  said?: string
  next_retry_at?: string
  changed_tools?: number
  /** Tools that it lists and that are not offered, and why the first of them is not. */
  left_out?: { count: number; first: string }
  /** It did not answer in an earlier start of the gateway, whose next first list waits only briefly for it. */
  slow_start?: true
  trusted?: boolean
}

export function sourceRow({ kind, status }: SeenSource): ServerRow {
  const { name, state, tools } = status
  return { name, kind: kind.key, state, tools, ...('problem' in status && { reason: status.problem }) }
}

/** For a person: what became of it when a gateway last started. */
export const SLOW_START =
  'It did not answer when the gateway last started, so that the next start waits only briefly for it.'

export function serverRow(server: SeenServer, slow: ReadonlySet<string>): ServerRow {
  const { name, settings } = server
  const health = server.health()
  const version = server.facts()?.protocolVersion
  const changed = server.changed().length
  const missing = server.notes().filter(({ rule }) => rule === 'left_out')
  return {
    name,
    state: health.state,
    tools: health.tools,
    transport: settings.type ?? (settings.command === undefined ? 'http' : 'stdio'),
    ...(version !== undefined && { protocol_version: version }),
    ...('reason' in health && { reason: health.reason }),
    ...('said' in health && health.said !== undefined && { said: health.said }),
    ...('nextRetryAt' in health &&
      health.nextRetryAt !== undefined && { next_retry_at: new Date(health.nextRetryAt).toISOString() }),
    ...(changed > 0 && { changed_tools: changed }),
    ...(missing[0] && { left_out: { count: missing.length, first: missing[0].message } }),
    ...(slow.has(name) && { slow_start: true }),
    trusted: settings.trusted === true,
  }
}
