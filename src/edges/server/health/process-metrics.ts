import { monitorEventLoopDelay, type IntervalHistogram } from 'node:perf_hooks'
import type { NamedMetric } from './exposition.js'

/** What the process uses, under the names that dashboards for Node.js know. */
export function createProcessMetrics(): () => NamedMetric[] {
  const startedAt = Date.now() / 1000 - process.uptime()
  // Measured from the first question on: it takes a timer of its own.
  let delay: IntervalHistogram | undefined
  return () => {
    const { user, system } = process.cpuUsage()
    const { rss, heapUsed, heapTotal, external } = process.memoryUsage()
    const isFirst = delay === undefined
    if (!delay) {
      delay = monitorEventLoopDelay({ resolution: 10 })
      delay.enable()
    }
    const lag = isFirst || delay.count === 0 ? { mean: 0, p99: 0, max: 0 } : readDelay(delay)
    return [
      counter('process_cpu_seconds_total', 'CPU time of the process.', (user + system) / 1e6),
      gauge('process_start_time_seconds', 'Start of the process since the epoch.', startedAt),
      gauge('process_resident_memory_bytes', 'Memory of the process.', rss),
      gauge('nodejs_heap_size_used_bytes', 'Used memory of the heap.', heapUsed),
      gauge('nodejs_heap_size_total_bytes', 'Memory of the heap.', heapTotal),
      gauge('nodejs_external_memory_bytes', 'Memory outside the heap that objects hold.', external),
      gauge('nodejs_eventloop_lag_mean_seconds', 'Delay of the event loop since the last scrape.', lag.mean),
      gauge('nodejs_eventloop_lag_p99_seconds', 'The same, its 99th percentile.', lag.p99),
      gauge('nodejs_eventloop_lag_max_seconds', 'The same, its maximum.', lag.max),
    ]
  }
}

function readDelay(delay: IntervalHistogram): { mean: number; p99: number; max: number } {
  const read = { mean: delay.mean / 1e9, p99: delay.percentile(99) / 1e9, max: delay.max / 1e9 }
  delay.reset()
  return read
}

export function gauge(name: string, help: string, value: number): NamedMetric {
  return { name, help, metric: { type: 'gauge', samples: [{ value }] } }
}

export function counter(name: string, help: string, value: number): NamedMetric {
  return { name, help, metric: { type: 'counter', samples: [{ value }] } }
}
