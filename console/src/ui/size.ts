const UNITS = ['kB', 'MB', 'GB', 'TB']

/** `37 bytes`, `1.4 MB`: in powers of a thousand. */
export function size(bytes: number): string {
  if (bytes < 1_000) return bytes === 1 ? '1 byte' : `${bytes} bytes`
  let value = bytes / 1_000
  let unit = 0
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1_000
    unit++
  }
  return `${value < 9.95 ? value.toFixed(1) : Math.round(value)} ${UNITS[unit]}`
}
