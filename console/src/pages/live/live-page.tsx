import { useState, type ReactNode } from 'react'
import { cancelInvocation, listInvocations } from '../../api/client.js'
import { toApiError } from '../../api/http.js'
import type { InvocationStatus, InvocationSummary } from '../../api/types.js'
import { useResource } from '../../live/use-resource.js'
import { callPath } from '../../paths.js'
import { Link, setQuery, useAddress } from '../../shell/router.js'
import { hasRole, useSession } from '../../shell/session.js'
import { StatusBadge, statusWords } from '../../ui/badge.js'
import { Empty, Loading } from '../../ui/empty.js'
import { ErrorBox } from '../../ui/error-box.js'
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
  const open = useResource(
    'live open',
    (signal) => listInvocations({ status: OPEN.join(','), limit: 500 }, signal),
    { events: EVENTS },
  )
  const recent = useResource('live ended', (signal) => listInvocations({ limit: 50 }, signal), {
    events: EVENTS,
  })
  const { query } = useAddress()
  const filters = FILTERS.map((name) => [name, query.get(name) ?? ''] as const)
  const passes = (call: InvocationSummary): boolean =>
    filters.every(([name, value]) => value === '' || valueOf(call, name) === value)
  if (open.data === undefined)
    return open.error === undefined ? <Loading /> : <ErrorBox error={open.error} onRetry={open.refresh} />
  const all = open.data.items
  const calls = all.filter(passes)
  const running = calls.filter(({ status }) => !WAITING.includes(status))
  const waiting = calls.filter(({ status }) => WAITING.includes(status))
  const isCut = open.data.next_cursor !== undefined
  return (
    <>
      <PageHeader
        title="Live"
        note={`${running.length} running, ${waiting.length} waiting${isCut ? ' (of the newest 500)' : ''}`}
      >
        {FILTERS.map((name) => (
          <ChoiceFilter key={name} name={name} calls={all} value={query.get(name) ?? ''} />
        ))}
      </PageHeader>
      <div className="page-body">
        <ErrorBox error={open.error} onRetry={open.refresh} />
        {calls.length === 0 && <NothingRuns isFiltered={all.length > 0} />}
        {running.length > 0 && <Group title="Running" calls={running} />}
        {waiting.length > 0 && <Group title="Waiting" calls={waiting} />}
        <JustEnded calls={(recent.data?.items ?? []).filter(passes)} />
      </div>
    </>
  )
}

const FILTERS = ['actor', 'session', 'tool', 'status'] as const
type FilterName = (typeof FILTERS)[number]
const FILTER_WORDS: Readonly<Record<FilterName, readonly [string, string]>> = {
  actor: ['Agent', 'Any agent'],
  session: ['Session', 'Any session'],
  tool: ['Tool', 'Any tool'],
  status: ['Status', 'Any status'],
}

function valueOf(call: InvocationSummary, name: FilterName): string {
  return (name === 'tool' ? call.tool_name : call[name]) ?? ''
}

interface ChoiceFilterProps {
  readonly name: FilterName
  readonly calls: readonly InvocationSummary[]
  readonly value: string
}

/** Offers what there is at the moment; a chosen value stays on offer. */
function ChoiceFilter({ name, calls, value }: ChoiceFilterProps): ReactNode {
  const [label, any] = FILTER_WORDS[name]
  const values = new Set([...calls.map((call) => valueOf(call, name)), value])
  values.delete('')
  return (
    <select
      className="input live-filter"
      aria-label={label}
      value={value}
      {...(name === 'actor' ? { 'data-search': true } : {})}
      onChange={(event) => setQuery({ [name]: event.target.value })}
    >
      <option value="">{any}</option>
      {[...values].sort().map((each) => (
        <option key={each} value={each}>
          {name === 'status' ? statusWords(each) : visibleText(each)}
        </option>
      ))}
    </select>
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
