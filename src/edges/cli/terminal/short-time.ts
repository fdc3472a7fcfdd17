const two = (value: number): string => String(value).padStart(2, '0')

/** In the reader's own time zone. */
export function dateAndTime(iso: string): string {
  const at = new Date(iso)
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${timeOfDay(at)}`
}

/** The time for today, otherwise the day and the time; always 11 columns. */
export function shortTime(iso: string, now: Date): string {
  const at = new Date(iso)
  if (at.toDateString() === now.toDateString()) return timeOfDay(at).padEnd(11)
  return `${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}`
}

export function timeOfDay(at: Date): string {
  return `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`
}
