import type { ReactNode } from 'react'
import { listInvocations } from '../../api/client.js'
import type { InvocationSummary } from '../../api/types.js'
import { usePages, type Pages } from '../../live/use-pages.js'
import { callPath } from '../../paths.js'
import { Link, navigate, useAddress } from '../../shell/router.js'
import { StatusBadge } from '../../ui/badge.js'
import { Empty, Loading } from '../../ui/empty.js'
import { ErrorBox } from '../../ui/error-box.js'
import { PageHeader } from '../../ui/page-header.js'
import { Text, visibleText } from '../../ui/text.js'
import { duration, Time } from '../../ui/time.js'
import { VirtualTable, type Column } from '../../ui/virtual-table.js'
import { CallFilters, filterNames } from './call-filters.js'
import './calls.css'

const PAGE_SIZE = 200

/** All calls, newest first, with filters in the address. */
export default function CallsPage(): ReactNode {
  const { query } = useAddress()
  const filters = Object.fromEntries(filterNames.map((name) => [name, query.get(name) ?? '']))
  const calls = usePages(JSON.stringify(filters), {
    loadPage: (cursor, signal) =>
      listInvocations({ ...filters, ...(cursor === undefined ? {} : { cursor }), limit: PAGE_SIZE }, signal),
    idOf: (call: InvocationSummary) => call.invocation_id,
    events: { types: ['tool.invocation.', 'toolcrib.invocation.', 'tool.result.created'] },
  })
  const isFiltered = Object.values(filters).some((value) => value !== '')
  return (
    <>
      <PageHeader title="Calls" note={countWords(calls)}>
        <CallFilters filters={filters} calls={calls.items} />
      </PageHeader>
      <ErrorBox error={calls.error} onRetry={calls.refresh} />
      {calls.items.length > 0 ? (
        <VirtualTable
          label="Calls"
          items={calls.items}
          columns={COLUMNS}
          idOf={(call) => call.invocation_id}
          onOpen={(call) => navigate(callPath(call.invocation_id))}
          onEnd={calls.loadMore}
          hasMore={calls.hasMore}
          renderNarrow={renderNarrow}
        />
      ) : calls.isLoading ? (
        <Loading />
      ) : (
        calls.error === undefined && <NoCalls isFiltered={isFiltered} />
      )}
    </>
  )
}

const COLUMNS: readonly Column<InvocationSummary>[] = [
  { title: 'Tool', width: 'minmax(0, 3fr)', render: (call) => <CallLink call={call} /> },
  { title: 'Status', width: '150px', render: (call) => <CallStatus call={call} /> },
  { title: 'Agent', width: 'minmax(0, 2fr)', render: (call) => <Text>{call.actor ?? ''}</Text> },
  { title: 'Session', width: 'minmax(0, 2fr)', render: (call) => <Text>{call.session ?? ''}</Text> },
  {
    title: 'Took',
    width: '80px',
    isNumber: true,
    render: (call) => (call.duration_ms === undefined ? '' : duration(call.duration_ms)),
  },
  { title: 'When', width: '132px', isNumber: true, render: (call) => <Time at={call.created_at} /> },
]

function renderNarrow(call: InvocationSummary): ReactNode {
  return (
    <div className="call-narrow">
      <div>
        <span className="cut">
          <CallLink call={call} />
        </span>
        <CallStatus call={call} />
      </div>
      <div className="muted">
        <span className="cut">
          <Text>{call.actor ?? ''}</Text>
        </span>
        <Time at={call.created_at} />
      </div>
    </div>
  )
}

function CallLink({ call }: { readonly call: InvocationSummary }): ReactNode {
  return (
    <Link to={callPath(call.invocation_id)} title={visibleText(call.tool_name)}>
      <Text>{call.tool_name}</Text>
    </Link>
  )
}

function CallStatus({ call }: { readonly call: InvocationSummary }): ReactNode {
  return <StatusBadge status={call.result_status ?? call.status} />
}

function countWords({ items, hasMore, isLoading, error }: Pages<InvocationSummary>): string {
  if (items.length === 0) return isLoading || error !== undefined ? '' : 'none'
  return `${items.length.toLocaleString()}${hasMore ? ' loaded, more below' : ''}`
}

function NoCalls({ isFiltered }: { readonly isFiltered: boolean }): ReactNode {
  if (isFiltered)
    return (
      <Empty title="No call matches these filters">
        A tool, an agent and a session are found by their whole name. <Link to="/calls">Show all calls</Link>
      </Empty>
    )
  return (
    <Empty title="No calls yet" command="toolcrib call <tool> key=value">
      This page lists every call of every agent, with its outcome. Connect an agent, or make a call yourself.
    </Empty>
  )
}
