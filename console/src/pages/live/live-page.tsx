import { useEffect, useState, type ReactNode } from 'react'
import { cancelInvocation, listInvocations } from '../../api/client.js'
import { toApiError } from '../../api/http.js'
import type { InvocationStatus, InvocationSummary, List } from '../../api/types.js'
import { useResource, type Resource } from '../../live/use-resource.js'
import { callPath } from '../../paths.js'
import { Link, setQuery, useAddress } from '../../shell/router.js'
import { hasRole, useSession } from '../../shell/session.js'
import { StatusBadge, statusWords } from '../../ui/badge.js'
import { Empty, Loading } from '../../ui/empty.js'
import { ErrorBox } from '../../ui/error-box.js'
import { NameFilter, namesOf } from '../../ui/name-filter.js'
import { PageHeader } from '../../ui/page-header.js'
import { Text, visibleText } from '../../ui/text.js'
import { duration, Time, useNow } from '../../ui/time.js'
import { showToast } from '../../ui/toast.js'
import { WaitsFor } from './waits-for.js'
import './live.css'

const OPEN: readonly InvocationStatus[] = [
  'running',
  'partial_result',
  'pre_hooks_running',
  'post_hooks_running',
  'yielded',
  'approved',
  'queued',
  'awaiting_approval',
  'needs_input',
  'planned',
  'selected',
  'arguments_ready',
]
const WAITING: readonly InvocationStatus[] = ['awaiting_approval', 'needs_input', 'queued']
const ENDED_SHOWN_MS = 60_000
const MOST_ENDED = 10

const EVENTS = {
  types: ['tool.invocation.', 'toolcrib.invocation.', 'tool.permission.', 'tool.result.created'],
}

/** What runs and what waits now. */
export default function LivePage(): ReactNode {
  const { query } = useAddress()
  const filters = Object.fromEntries(NAMES.map((name) => [name, query.get(name) ?? '']))
  const status = query.get('status') ?? ''
  const open = useOpenCalls(filters, status)
  const recent = useResource(
    `live ended ${JSON.stringify(filters)}`,
    (signal) => listInvocations({ ...filters, limit: 50 }, signal),
    { events: EVENTS },
  )
  const calls = open.data?.items ?? []
  const running = calls.filter((call) => !WAITING.includes(call.status))
  const waiting = calls.filter((call) => WAITING.includes(call.status))
  const isCut = open.data?.next_cursor !== undefined
  const isFiltered = status !== '' || Object.values(filters).some((value) => value !== '')
  const of = isCut ? ` of the newest ${calls.length.toLocaleString()}` : ''
  return (
    <>
      <PageHeader
        title="Live"
        note={open.data && `${running.length} running, ${waiting.length} waiting${of}`}
      >
        <Filters filters={filters} status={status} calls={calls} />
      </PageHeader>
      <div className="page-body">
        <ErrorBox error={open.error} onRetry={open.refresh} />
        {open.data === undefined && open.error === undefined && <Loading />}
        {open.data !== undefined && calls.length === 0 && <NothingRuns isFiltered={isFiltered} />}
        {running.length > 0 && <Group title="Running" calls={running} />}
        {waiting.length > 0 && <Group title="Waiting" calls={waiting} />}
        {isCut && (
          <button type="button" className="button more" disabled={open.isLoading} onClick={open.loadMore}>
            Show {PAGE_SIZE.toLocaleString()} more
          </button>
        )}
        {status === '' && <JustEnded calls={recent.data?.items ?? []} />}
      </div>
    </>
  )
}

const NAMES = ['actor', 'session', 'tool'] as const
const PAGE_SIZE = 500

/** The open calls that the server finds, the newest first. What ended meanwhile is gone after each load. */
function useOpenCalls(
  filters: Readonly<Record<string, string>>,
  status: string,
): Resource<List<InvocationSummary>> & { refresh: () => void; loadMore: () => void } {
  const key = JSON.stringify([filters, status])
  const [wanted, setWanted] = useState({ key, count: PAGE_SIZE })
  const count = wanted.key === key ? wanted.count : PAGE_SIZE
  const open = useResource(
    `live open ${key}`,
    async (signal) => {
      const query = { ...filters, status: status === '' ? OPEN.join(',') : status, limit: PAGE_SIZE }
      let found = await listInvocations(query, signal)
      while (found.next_cursor !== undefined && found.items.length < count) {
        const page = await listInvocations({ ...query, cursor: found.next_cursor }, signal)
        found = { ...page, items: [...found.items, ...page.items] }
      }
      return found
    },
    { events: EVENTS },
  )
  useEffect(() => {
    if (count > PAGE_SIZE) open.refresh()
  }, [count])
  return { ...open, loadMore: () => setWanted({ key, count: count + PAGE_SIZE }) }
}

interface FiltersProps {
  readonly filters: Readonly<Record<string, string>>
  readonly status: string
  readonly calls: readonly InvocationSummary[]
}

function Filters({ filters, status, calls }: FiltersProps): ReactNode {
  return (
    <div className="filters" role="search" aria-label="Filter calls">
      <NameFilter
        name="actor"
        label="Agent"
        value={filters['actor'] ?? ''}
        known={namesOf(calls, ({ actor }) => actor)}
        isSearch
      />
      <NameFilter
        name="session"
        label="Session"
        value={filters['session'] ?? ''}
        known={namesOf(calls, ({ session }) => session)}
      />
      <NameFilter
        name="tool"
        label="Tool"
        value={filters['tool'] ?? ''}
        known={namesOf(calls, ({ tool_name }) => tool_name)}
      />
      <select
        className="input"
        aria-label="Status"
        value={status}
        onChange={(event) => setQuery({ status: event.target.value })}
      >
        <option value="">Any status</option>
        {OPEN.map((each) => (
          <option key={each} value={each}>
            {statusWords(each)}
          </option>
        ))}
      </select>
    </div>
  )
}

function Group({
  title,
  calls,
}: {
  readonly title: string
  readonly calls: readonly InvocationSummary[]
}): ReactNode {
  return (
    <section className="section">
      <h2>
        {title} <span className="muted plain">{calls.length}</span>
      </h2>
      <ul className="live-calls box">
        {calls.map((call) => (
          <OpenCall key={call.invocation_id} call={call} />
        ))}
      </ul>
    </section>
  )
}

function OpenCall({ call }: { readonly call: InvocationSummary }): ReactNode {
  const now = useNow()
  const { progress, status } = call
  return (
    <li className="live-call">
      <div className="live-call-name">
        <Link to={callPath(call.invocation_id)} className="cut">
          <Text>{call.tool_name}</Text>
        </Link>
        <span className="muted cut">
          <Text>{[call.actor, call.session].filter((part) => part !== undefined).join(' · ')}</Text>
        </span>
      </div>
      <div className="live-call-state">
        <span className="badges">
          <StatusBadge status={status} />
          <span className="muted">{duration(Math.max(0, now - Date.parse(call.created_at)))}</span>
        </span>
        {progress?.percent !== undefined && (
          <progress
            max={100}
            value={progress.percent}
            aria-label={`Progress of ${visibleText(call.tool_name)}`}
          />
        )}
        <span className="muted live-message">
          <WaitsFor call={call} />
        </span>
      </div>
      <CancelButton call={call} />
    </li>
  )
}

function CancelButton({ call }: { readonly call: InvocationSummary }): ReactNode {
  const session = useSession()
  const [isAsked, setAsked] = useState(false)
  if (!hasRole(session, 'operator') && call.actor !== session.actor) return null
  const cancel = (): void => {
    setAsked(true)
    cancelInvocation(call.invocation_id).catch((error: unknown) => {
      setAsked(false)
      showToast({ text: toApiError(error).message, tone: 'bad' })
    })
  }
  return (
    <button
      type="button"
      className="button"
      disabled={isAsked}
      aria-label={`Cancel ${visibleText(call.tool_name)}`}
      onClick={cancel}
    >
      {isAsked ? 'Stopping…' : 'Cancel'}
    </button>
  )
}

function JustEnded({ calls }: { readonly calls: readonly InvocationSummary[] }): ReactNode {
  const now = useNow()
  const ended = calls
    .filter(({ ended_at }) => ended_at !== undefined && now - Date.parse(ended_at) < ENDED_SHOWN_MS)
    .toSorted((a, b) => (b.ended_at ?? '').localeCompare(a.ended_at ?? ''))
    .slice(0, MOST_ENDED)
  if (ended.length === 0) return null
  return (
    <section className="section">
      <h2>Just ended</h2>
      <ul className="live-calls ended">
        {ended.map((call) => (
          <li key={call.invocation_id} className="live-call ended-call">
            <Link to={callPath(call.invocation_id)} className="cut">
              <Text>{call.tool_name}</Text>
            </Link>
            <span className="badges">
              <StatusBadge status={call.result_status ?? call.status} />
              {call.duration_ms !== undefined && <span className="muted">{duration(call.duration_ms)}</span>}
            </span>
            <span className="muted">{call.ended_at !== undefined && <Time at={call.ended_at} />}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function NothingRuns({ isFiltered }: { readonly isFiltered: boolean }): ReactNode {
  if (isFiltered)
    return (
      <Empty title="No running call matches these filters">
        <Link to="/live">Show all running calls</Link>
      </Empty>
    )
  return (
    <Empty title="Nothing runs right now" command="toolcrib call <tool> key=value">
      This page shows each call while it runs or waits: its progress, what it waits for, and a button that
      stops it. Calls that ended are on the page <Link to="/calls">Calls</Link>.
    </Empty>
  )
}
