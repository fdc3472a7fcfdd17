/** The 50th, 95th, 99th percentile and the maximum. */
export function percentilesOf(times) {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share) =>
    Number(sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)].toFixed(3))
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) }
}
