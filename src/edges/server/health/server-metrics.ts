import type { Crib } from '../../../crib/crib.js'
import type { StatedSource } from '../../../host/sources/source-health.js'
import { ownVersion } from '../../../platform/files/own-package.js'
import type { NamedMetric } from './exposition.js'
import { counter, gauge } from './process-metrics.js'

/** What is open, besides calls. */
export interface OpenClients {
  readonly mcpSessions: number
  /** Streams of server-sent events, by the name of their protocol. */
  readonly listeners: Readonly<Record<string, number>>
}

/** The current state of a server and its crib. */
export async function serverMetrics({
  crib,
  sources,
  open,
}: {
  readonly crib: Pick<Crib, 'monitor' | 'store'>
  readonly sources: readonly StatedSource[]
  readonly open: OpenClients
}): Promise<NamedMetric[]> {
  return [info(), ...(await cribMetrics(crib)), ...sourceMetrics(sources), ...openMetrics(open)]
}

function info(): NamedMetric {
  const samples = [{ labels: { version: ownVersion() }, value: 1 }]
  return { name: 'toolcrib_info', help: 'The version of the server.', metric: { type: 'gauge', samples } }
}

/** More waiting approvals than this are not counted: the list would take long. */
const MOST_APPROVALS = 1000

async function cribMetrics({ monitor, store }: Pick<Crib, 'monitor' | 'store'>): Promise<NamedMetric[]> {
  const { running, waiting } = monitor.calls()
  const asked = await store.listCalls({ status: ['awaiting_approval'], open: true, limit: MOST_APPROVALS })
  return [
    {
      name: 'toolcrib_calls_open',
      help: 'Open calls of this process: running, or waiting for people.',
      metric: {
        type: 'gauge',
        samples: [
          { labels: { state: 'running' }, value: running },
          { labels: { state: 'waiting' }, value: waiting },
        ],
      },
    },
    gauge(
      'toolcrib_approvals_waiting',
      `Calls in the store that wait for approval, of all processes and tenants; at most ${MOST_APPROVALS}.`,
      asked.rows.length,
    ),
    counter(
      'toolcrib_log_write_failures_total',
      'Writes of records that failed; they are tried again.',
      monitor.writeFailures(),
    ),
  ]
}

function sourceMetrics(sources: readonly StatedSource[]): NamedMetric[] {
  const samples = (read: (source: StatedSource) => number) =>
    sources.map((source) => ({ labels: { source: source.name, kind: source.kind }, value: read(source) }))
  return [
    {
      name: 'toolcrib_source_up',
      help: 'Whether the tools of a source can be called (1) or not (0).',
      metric: { type: 'gauge', samples: samples(({ status }) => (status?.state === 'ready' ? 1 : 0)) },
    },
    {
      name: 'toolcrib_source_tools',
      help: 'Tools of a source in the catalog.',
      metric: { type: 'gauge', samples: samples(({ status }) => status?.tools ?? 0) },
    },
    {
      name: 'toolcrib_source_restarts_total',
      help: 'How often a source was connected again.',
      metric: { type: 'counter', samples: samples(({ status }) => status?.restarts ?? 0) },
    },
  ]
}

function openMetrics({ mcpSessions, listeners }: OpenClients): NamedMetric[] {
  return [
    gauge('toolcrib_mcp_sessions', 'Open sessions and connections of MCP clients.', mcpSessions),
    {
      name: 'toolcrib_sse_listeners',
      help: 'Open streams of server-sent events, by protocol.',
      metric: {
        type: 'gauge',
        samples: Object.entries(listeners).map(([protocol, value]) => ({ labels: { protocol }, value })),
      },
    },
  ]
}
