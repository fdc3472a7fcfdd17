const UNITS_MS: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }

/** `10m` or `2h` before now, or a date; undefined if it is neither. */
export function parseSince(text: string, nowMs: number): number | undefined {
  return at(text, nowMs, -1)
}

/** `30d` from now, or a date; undefined if it is neither. */
export function parseUntil(text: string, nowMs: number): number | undefined {
  return at(text, nowMs, 1)
}

function at(text: string, nowMs: number, direction: 1 | -1): number | undefined {
  const duration = /^(\d+(?:\.\d+)?)([smhdw])$/.exec(text)
  if (duration) return nowMs + direction * Number(duration[1]) * UNITS_MS[duration[2]!]!
  const date = /^\d{4}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? undefined : date
}
