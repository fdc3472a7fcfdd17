import { asSentence } from '../../../host/sources/reason-text.js'
import type { InspectedSource } from '../../../host/sources/inspect-sources.js'
import { oneLine } from '../../../platform/text/printable.js'
import type { SetupGap } from '../../../sources/source.js'
import type { SeenServer } from '../../../sources/mcp/servers/server-snapshot.js'

/** One server, or a source of another kind, as JSON. */
export interface ServerRow {
  name: string
  state: string
  tools: number
  /** For a source that is no MCP server: the key of its kind in the config. */
  kind?: string
  transport?: 'stdio' | 'http' | 'sse'
  protocol_version?: string
  reason?: string
  /** The part of its output that shows why it does not answer. */
  said?: string
  next_retry_at?: string
  changed_tools?: number
  /** Tools that cannot be called before a person has set something up, by what is missing. */
  requires_setup?: readonly SetupGap[]
  /** The number of listed tools that are not offered, and the reason for the first. */
  left_out?: { count: number; first: string }
  /** The number of problems with parts of it, and the first of them. */
  problems?: { count: number; first: string }
  /** Whether it did not answer in an earlier start of the gateway; the next first list waits only briefly for it. */
  slow_start?: true
  trusted?: boolean
}

export function sourceRow({ kind, entry, status, changed, problems }: InspectedSource): ServerRow {
  const { state, tools, requiresSetup = [] } = status
  return {
    name: entry,
    kind: kind.key,
    state,
    tools,
    ...('problem' in status && { reason: status.problem }),
    ...('nextRetryAt' in status &&
      status.nextRetryAt !== undefined && { next_retry_at: new Date(status.nextRetryAt).toISOString() }),
    ...(changed.length > 0 && { changed_tools: changed.length }),
    ...(problems[0] !== undefined && { problems: { count: problems.length, first: problems[0] } }),
    ...(requiresSetup.length > 0 && { requires_setup: requiresSetup }),
  }
}

/** Setup gaps that are named one by one. */
const FEW_GAPS = 3

/** What a person must set up, a sentence for each gap. */
export function setupSentences(gaps: readonly SetupGap[]): string[] {
  const more = gaps.length - FEW_GAPS
  return [
    ...gaps
      .slice(0, FEW_GAPS)
      .map(({ tools, message }) => `${counted(tools)} cannot be called yet: ${asSentence(oneLine(message))}`),
    ...(more > 0 ? [`${more} more of that kind.`] : []),
  ]
}

/** The first problem with a part of a source, and how many others there are. */
export function problemSentence(first: string, count: number): string {
  const others = count === 2 ? ' There is 1 more problem.' : ` There are ${count - 1} more problems.`
  return `${asSentence(oneLine(first))}${count > 1 ? others : ''}`
}

function counted(tools: number): string {
  return tools === 1 ? '1 tool' : `${tools} tools`
}

/** The sentence for a slow start. */
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
