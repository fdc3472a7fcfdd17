const UNITS_MS: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }

/** `12 ms`, `3.4 s`, `2 min 5 s`, `3 h 10 min`. */
export function durationText(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`
  const seconds = Math.round(ms / 1_000)
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
  const minutes = Math.round(seconds / 60)
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** `10m`, `2h` before now, or a date; nothing when it is neither. */
export function parseSince(text: string, nowMs: number): number | undefined {
  const ago = /^(\d+(?:\.\d+)?)([smhdw])$/.exec(text)
  if (ago) return nowMs - Number(ago[1]) * UNITS_MS[ago[2]!]!
  const at = /^\d{4}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : at
}
