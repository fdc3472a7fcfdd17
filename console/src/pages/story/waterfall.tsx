import type { ReactNode } from 'react'
import type { CallStory, InvocationSummary } from '../../api/types.js'
import { callPath } from '../../paths.js'
import { Link } from '../../shell/router.js'
import { StatusBadge, statusWords } from '../../ui/badge.js'
import { Text } from '../../ui/text.js'
import { duration, useNow } from '../../ui/time.js'

interface Row {
  readonly call: InvocationSummary
  readonly depth: number
  readonly role: string
}

/** The calls around this one, as bars over time: its caller, its batch, and the calls that it made. */
export function Waterfall({
  story,
  own,
}: {
  readonly story: CallStory
  readonly own: InvocationSummary
}): ReactNode {
  const rows = rowsOf(story, own)
  const isOpen = rows.some(({ call }) => call.ended_at === undefined)
  const now = useNow()
  const start = Math.min(...rows.map(({ call }) => Date.parse(call.created_at)))
  const end = Math.max(start + 1, ...rows.map(({ call }) => endOf(call, isOpen ? now : start)))
  return (
    <section className="section" aria-labelledby="waterfall-title">
      <h2 id="waterfall-title">
        {titleOf(story)} <span className="muted">over {duration(end - start)}</span>
      </h2>
      <div className="waterfall-box">
        <table className="waterfall">
          <thead>
            <tr>
              <th scope="col">Call</th>
              <th scope="col">Outcome</th>
              <th scope="col" className="number">
                Began
              </th>
              <th scope="col" className="number">
                Took
              </th>
              <th scope="col" className="waterfall-track">
                <span className="visually-hidden">Bar</span>
                <Scale length={end - start} />
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <WaterfallRow
                key={row.call.invocation_id}
                row={row}
                isCurrent={row.call.invocation_id === own.invocation_id}
                start={start}
                end={end}
                now={now}
              />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

function titleOf({ batch, children, parent }: CallStory): string {
  if (children.length > 0)
    return children.length === 1 ? 'It made one call' : `It made ${children.length} calls`
  if (batch !== undefined) return `A batch of ${batch.members.length}`
  return parent === undefined ? 'Related calls' : 'Made by another call'
}

/** Whether there is something to draw beside the call itself. */
export function hasRelated({ parent, children, batch }: CallStory): boolean {
  return parent !== undefined || children.length > 0 || (batch?.members.length ?? 0) > 1
}

function rowsOf({ parent, children, batch }: CallStory, own: InvocationSummary): readonly Row[] {
  const above = parent === undefined ? 0 : 1
  const siblings = batch?.members.length === undefined || batch.members.length < 2 ? [own] : batch.members
  const byTime = (a: InvocationSummary, b: InvocationSummary): number =>
    Date.parse(a.created_at) - Date.parse(b.created_at)
  const rows: Row[] = parent === undefined ? [] : [{ call: parent, depth: 0, role: 'its caller' }]
  for (const call of siblings.toSorted(byTime)) {
    const isOwn = call.invocation_id === own.invocation_id
    rows.push({ call: isOwn ? own : call, depth: above, role: isOwn ? 'this call' : 'of the same batch' })
    if (isOwn)
      for (const child of children.toSorted(byTime))
        rows.push({ call: child, depth: above + 1, role: 'called by it' })
  }
  return rows
}

function endOf({ ended_at: ended, created_at: created }: InvocationSummary, now: number): number {
  return ended === undefined ? Math.max(now, Date.parse(created)) : Date.parse(ended)
}

interface WaterfallRowProps {
  readonly row: Row
  readonly isCurrent: boolean
  readonly start: number
  readonly end: number
  readonly now: number
}

function WaterfallRow({
  row: { call, depth, role },
  isCurrent,
  start,
  end,
  now,
}: WaterfallRowProps): ReactNode {
  const created = Date.parse(call.created_at)
  const until = endOf(call, now)
  const name = call.tool_name
  return (
    <tr className={isCurrent ? 'current' : ''}>
      <th scope="row" style={{ paddingLeft: `calc(${depth} * 16px + var(--space-2))` }}>
        <Link to={callPath(call.invocation_id)} aria-current={isCurrent ? 'true' : undefined}>
          <Text>{name}</Text>
        </Link>
        <span className="visually-hidden">, {role}</span>
      </th>
      <td>
        <StatusBadge status={call.result_status ?? call.status} />
      </td>
      <td className="number">{created === start ? '0 ms' : `+${duration(created - start)}`}</td>
      <td className="number">{call.ended_at === undefined ? 'still open' : duration(until - created)}</td>
      <td className="waterfall-track">
        <Bar call={call} start={start} end={end} until={until} />
      </td>
    </tr>
  )
}

interface BarProps {
  readonly call: InvocationSummary
  readonly start: number
  readonly end: number
  readonly until: number
}

/** The pale part is waiting, the full one running. The numbers beside it say the same. */
function Bar({ call, start, end, until }: BarProps): ReactNode {
  const at = (time: number): string => `${(((time - start) / (end - start)) * 100).toFixed(3)}%`
  const width = (from: number, to: number): string => at(start + Math.max(0, to - from))
  const created = Date.parse(call.created_at)
  const began = call.started_at === undefined ? until : Date.parse(call.started_at)
  const isBad = /failed|denied|rejected|timed_out|error/.test(call.result_status ?? '')
  const tone = call.ended_at === undefined ? 'open' : isBad ? 'bad' : 'good'
  const title = `${statusWords(call.result_status ?? call.status)}: waited ${duration(began - created)}, ran ${duration(until - began)}`
  return (
    <div className="bar" title={title} aria-hidden="true">
      <span className={`bar-wait ${tone}`} style={{ left: at(created), width: width(created, began) }} />
      <span className={`bar-run ${tone}`} style={{ left: at(began), width: width(began, until) }} />
    </div>
  )
}

function Scale({ length }: { readonly length: number }): ReactNode {
  return (
    <span className="scale" aria-hidden="true">
      {[0, 0.25, 0.5, 0.75, 1].map((part) => (
        <span key={part} style={{ left: `${part * 100}%` }}>
          {part === 0 ? '0' : duration(length * part)}
        </span>
      ))}
    </span>
  )
}
