import type { ReactNode } from 'react'
import type { CallNumbers, Statistics } from '../../api/statistics.js'
import { navigate } from '../../shell/router.js'
import { Plot, type Series } from '../../ui/plot/plot.js'
import { countTicks, durationTicks } from '../../ui/plot/ticks.js'
import { duration } from '../../ui/time.js'
import { callsLink, DENIALS, ERRORS } from './calls-link.js'
import { compact } from './totals.js'

/** The numbers over time. A click, or Enter, opens the calls of a moment. */
export function CallPlots({ statistics }: { readonly statistics: Statistics }): ReactNode {
  const { points, step_ms: stepMs } = statistics
  const times = points.map(({ at }) => Date.parse(at))
  const values = (name: keyof CallNumbers): Series['values'] => points.map((point) => point[name])
  const open = (results?: Parameters<typeof callsLink>[0]['results']) => (index: number) => {
    const from = times[index] ?? 0
    const since = new Date(from).toISOString()
    const until = new Date(from + stepMs).toISOString()
    navigate(callsLink({ since, until, ...(results === undefined ? {} : { results }) }))
  }
  const shared = { times, stepMs }
  const counts = { ...shared, ticks: countTicks, format: compact }
  const lengths = { ...shared, ticks: durationTicks, format: duration }
  return (
    <div className="plots">
      <Plot
        {...counts}
        title="Calls"
        note="All calls, at the time when they ended."
        series={[{ name: 'calls', color: 'one', kind: 'area', values: values('calls') }]}
        onOpen={open()}
      />
      <Plot
        {...counts}
        title="Errors and denials"
        note="Calls that failed, and calls that were denied or rejected."
        series={[
          { name: 'errors', color: 'bad', kind: 'bar', values: values('errors') },
          { name: 'denials', color: 'warn', kind: 'bar', values: values('denials') },
        ]}
        onOpen={open([...ERRORS, ...DENIALS])}
      />
      <Plot
        {...lengths}
        title="Time of calls"
        note="How long tools ran, without waits."
        series={[
          { name: 'p50', color: 'one', kind: 'line', values: values('p50_ms') },
          { name: 'p95', color: 'two', kind: 'line', values: values('p95_ms') },
          { name: 'p99', color: 'three', kind: 'line', values: values('p99_ms') },
        ]}
        onOpen={open()}
      />
      <Plot
        {...lengths}
        title="Waits, p95"
        note="For a turn: locks, limits and slots. For people: approvals."
        series={[
          { name: 'for a turn', color: 'one', kind: 'line', values: values('wait_ms_p95') },
          { name: 'for people', color: 'warn', kind: 'line', values: values('person_wait_ms_p95') },
        ]}
        onOpen={open()}
      />
      <Plot
        {...counts}
        title="Tokens saved"
        note="By tools that surfaces defer instead of loading."
        series={[{ name: 'tokens', color: 'three', kind: 'bar', values: values('tokens_saved') }]}
      />
    </div>
  )
}
