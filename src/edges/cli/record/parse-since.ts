const UNITS_MS: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }

/** `10m` or `2h` before now, or a date; undefined if it is neither. */
export function parseSince(text: string, nowMs: number): number | undefined {
  const ago = /^(\d+(?:\.\d+)?)([smhdw])$/.exec(text)
  if (ago) return nowMs - Number(ago[1]) * UNITS_MS[ago[2]!]!
  const at = /^\d{4}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : at
}
