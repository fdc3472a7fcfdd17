/** A number that only grows, a number that also falls, or how often values occurred. */
export type Metric =
  | { readonly type: 'counter' | 'gauge'; readonly samples: readonly Sample[] }
  | { readonly type: 'histogram'; readonly samples: readonly HistogramSample[] }

export interface Sample {
  readonly labels?: Readonly<Record<string, string>>
  readonly value: number
}

interface HistogramSample {
  readonly labels?: Readonly<Record<string, string>>
  readonly count: number
  readonly sum: number
  /** How many values are at most as large as each bound. */
  readonly buckets: readonly { readonly bound: number; readonly count: number }[]
}

export interface NamedMetric {
  readonly name: string
  readonly help: string
  readonly metric: Metric
}

export const EXPOSITION_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** The text format of Prometheus. */
export function toExposition(metrics: readonly NamedMetric[]): string {
  return metrics.map(blockOf).join('')
}

function blockOf({ name, help, metric }: NamedMetric): string {
  const head = `# HELP ${name} ${escapeHelp(help)}\n# TYPE ${name} ${metric.type}\n`
  const lines =
    metric.type === 'histogram'
      ? metric.samples.flatMap((sample) => histogramLines(name, sample))
      : metric.samples.map(({ labels, value }) => line(name, labels, value))
  return `${head}${lines.join('')}`
}

function histogramLines(name: string, { labels, count, sum, buckets }: HistogramSample): string[] {
  const bucket = (le: string, value: number): string => line(`${name}_bucket`, { ...labels, le }, value)
  return [
    ...buckets.map(({ bound, count: below }) => bucket(String(bound), below)),
    bucket('+Inf', count),
    line(`${name}_sum`, labels, sum),
    line(`${name}_count`, labels, count),
  ]
}

function line(name: string, labels: Readonly<Record<string, string>> = {}, value: number): string {
  const pairs = Object.entries(labels).map(([key, text]) => `${key}="${escapeLabel(text)}"`)
  return `${name}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${value}\n`
}

function escapeHelp(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
}

function escapeLabel(text: string): string {
  return escapeHelp(text).replaceAll('"', '\\"')
}
