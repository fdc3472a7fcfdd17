import { useEffect, type ReactNode } from 'react'
import { getStatistics, type Statistics } from '../../api/statistics.js'
import { useResource } from '../../live/use-resource.js'
import { setQuery, useAddress } from '../../shell/router.js'
import { Empty, Loading } from '../../ui/empty.js'
import { ErrorBox } from '../../ui/error-box.js'
import { PageHeader } from '../../ui/page-header.js'
import { CallPlots } from './call-plots.js'
import { TopLists } from './top-lists.js'
import { Totals } from './totals.js'
import './overview.css'

const HOUR = 3_600_000
const RANGES = [
  { name: '1h', label: '1 hour', ms: HOUR },
  { name: '24h', label: '24 hours', ms: 24 * HOUR },
  { name: '7d', label: '7 days', ms: 7 * 24 * HOUR },
  { name: '30d', label: '30 days', ms: 30 * 24 * HOUR },
] as const
const USUAL = RANGES[1]
const REFRESH_MS = 10_000

/** How much was called, what failed, how long it took and what was saved. */
export default function OverviewPage(): ReactNode {
  const { query } = useAddress()
  const range = RANGES.find(({ name }) => name === query.get('range')) ?? USUAL
  const { data, error, refresh } = useResource(`statistics ${range.name}`, (signal) =>
    getStatistics({ since: new Date(Date.now() - range.ms).toISOString() }, signal),
  )
  useEffect(() => {
    const timer = setInterval(refresh, REFRESH_MS)
    return () => clearInterval(timer)
  }, [range.name])
  return (
    <>
      <PageHeader
        title="Overview"
        note={data?.is_complete === false ? 'older calls are still being counted' : undefined}
      >
        <div className="segments" role="group" aria-label="Period">
          {RANGES.map(({ name, label }) => (
            <button
              key={name}
              type="button"
              aria-pressed={name === range.name}
              onClick={() => setQuery({ range: name === USUAL.name ? '' : name })}
            >
              {label}
            </button>
          ))}
        </div>
      </PageHeader>
      <div className="page-body overview">
        <ErrorBox error={error} onRetry={refresh} />
        {data === undefined ? error === undefined && <Loading /> : <Numbers statistics={data} />}
      </div>
    </>
  )
}

function Numbers({ statistics }: { readonly statistics: Statistics }): ReactNode {
  const { totals, is_complete: isComplete } = statistics
  const isEmpty = totals.calls === 0 && totals.tokens_saved === 0 && totals.approvals === 0
  if (isEmpty && isComplete)
    return (
      <Empty title="No call ended in this period" command="toolcrib call <tool> key=value">
        This page shows how many calls the agents made, how many failed or were denied, how long they took and
        waited, and how many tokens the surfaces saved. Choose a longer period, or make a call.
      </Empty>
    )
  return (
    <>
      <Totals statistics={statistics} />
      <CallPlots statistics={statistics} />
      <TopLists statistics={statistics} />
    </>
  )
}
