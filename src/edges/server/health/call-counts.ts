import type { CribMonitor } from '../../../crib/monitor/crib-monitor.js'
import type { Sample, NamedMetric } from './exposition.js'

/** Counts numbers by labels. The labels are few: no text of a caller is one. */
export function createLabeledCounter(names: readonly string[]): {
  add(...values: readonly string[]): void
  samples(): Sample[]
} {
  const counts = new Map<string, { values: readonly string[]; value: number }>()
  return {
    add(...values) {
      const key = values.join('\n')
      const found = counts.get(key)
      if (found) found.value++
      else counts.set(key, { values, value: 1 })
    },
    samples: () =>
      [...counts.values()].map(({ values, value }) => ({
        labels: Object.fromEntries(names.map((name, index) => [name, values[index]!])),
        value,
      })),
  }
}

/** Seconds. Calls of functions take less than a millisecond, calls of models minutes. */
const BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]

export interface CallCounts {
  metrics(): NamedMetric[]
  stop(): void
}

/** Counts the calls that end in this process from now on. */
export function countCalls(monitor: Pick<CribMonitor, 'onCallEnd'>): CallCounts {
  const byStatus = createLabeledCounter(['status', 'source'])
  const buckets = BOUNDS.map((bound) => ({ bound, count: 0 }))
  let count = 0
  let sum = 0
  const stop = monitor.onCallEnd(({ resultStatus, source, durationMs }) => {
    byStatus.add(resultStatus, source ?? '')
    const seconds = durationMs / 1000
    count++
    sum += seconds
    for (const bucket of buckets) if (seconds <= bucket.bound) bucket.count++
  })
  return {
    metrics: () => [
      {
        name: 'toolcrib_calls_total',
        help: 'Calls that ended in this process, by the status of their result and the source of their tool.',
        metric: { type: 'counter', samples: byStatus.samples() },
      },
      {
        name: 'toolcrib_call_duration_seconds',
        help: 'Time from the request of a call to its result, with all waits.',
        metric: { type: 'histogram', samples: [{ count, sum, buckets }] },
      },
    ],
    stop,
  }
}
