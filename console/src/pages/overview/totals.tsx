import type { ReactNode } from 'react'
import type { Statistics } from '../../api/statistics.js'
import { Link } from '../../shell/router.js'
import { duration } from '../../ui/time.js'
import { CANCELED, callsLink, DENIALS, ERRORS } from './calls-link.js'

interface Total {
  readonly label: string
  readonly value: string
  readonly note?: string
  readonly to: string
  readonly isBad?: boolean
}

/** The numbers of the whole period. */
export function Totals({ statistics }: { readonly statistics: Statistics }): ReactNode {
  return (
    <ul className="totals" aria-label="Totals">
      {totalsOf(statistics).map(({ label, value, note, to, isBad = false }) => (
        <li key={label}>
          <Link to={to} className={isBad ? 'total bad' : 'total'}>
            <span className="muted">{label}</span>
            <strong>{value}</strong>
            <span className="muted total-note">{note}</span>
          </Link>
        </li>
      ))}
    </ul>
  )
}

function totalsOf({ totals, since, until }: Statistics): readonly Total[] {
  const { calls, errors, denials, canceled, approvals } = totals
  const all = callsLink({ since, until })
  const share = (count: number): string => (calls === 0 ? '' : `${percent(count / calls)} of calls`)
  return [
    { label: 'Calls', value: calls.toLocaleString(), to: all },
    {
      label: 'Errors',
      value: errors.toLocaleString(),
      note: share(errors),
      to: callsLink({ since, until, results: ERRORS }),
      isBad: errors > 0,
    },
    {
      label: 'Denials',
      value: denials.toLocaleString(),
      note: share(denials),
      to: callsLink({ since, until, results: DENIALS }),
    },
    {
      label: 'Canceled',
      value: canceled.toLocaleString(),
      to: callsLink({ since, until, results: CANCELED }),
    },
    { label: 'Approvals asked', value: approvals.toLocaleString(), to: '/inbox' },
    {
      label: 'Time, p50',
      value: time(totals.p50_ms),
      note: `p95 ${time(totals.p95_ms)}, p99 ${time(totals.p99_ms)}`,
      to: all,
    },
    {
      label: 'Wait, p95',
      value: time(totals.wait_ms_p95),
      note:
        totals.person_wait_ms_p95 === undefined
          ? 'for a turn'
          : `for people ${time(totals.person_wait_ms_p95)}`,
      to: all,
    },
    {
      label: 'Tokens saved',
      value: compact(totals.tokens_saved),
      note: 'by deferred tools',
      to: '/surfaces',
    },
  ]
}

function time(ms: number | undefined): string {
  return ms === undefined ? '–' : duration(ms)
}

function percent(part: number): string {
  return part === 0 || part >= 0.01 ? `${Math.round(part * 100)} %` : 'under 1 %'
}

const short = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 })

export function compact(count: number): string {
  return count < 10_000 ? count.toLocaleString() : short.format(count)
}
