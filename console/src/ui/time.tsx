import { useSyncExternalStore, type ReactNode } from 'react'

/** A moment as people say it, with the exact time as its title. It stays right while it is shown. */
export function Time({ at }: { readonly at: string }): ReactNode {
  const now = useNow()
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return at
  return (
    <time dateTime={at} title={exact.format(date)}>
      {relativeTime(date.getTime(), now)}
    </time>
  )
}

/** The time now, in whole seconds; everything that shows it is drawn once a second. */
export function useNow(): number {
  return useSyncExternalStore(subscribeToClock, () => Math.floor(Date.now() / 1_000) * 1_000)
}

const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' })
const sameYear = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
})
const otherYear = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

export function relativeTime(at: number, now: number): string {
  const distance = Math.abs(now - at)
  const say = (amount: string): string => (at > now + 1_000 ? `in ${amount}` : `${amount} ago`)
  if (distance < 5_000) return at > now + 1_000 ? 'in a moment' : 'just now'
  if (distance < MINUTE) return say(`${Math.floor(distance / 1_000)} s`)
  if (distance < HOUR) return say(`${Math.floor(distance / MINUTE)} min`)
  if (distance < DAY) return say(`${Math.floor(distance / HOUR)} h`)
  if (distance < 7 * DAY) return say(`${Math.floor(distance / DAY)} d`)
  const date = new Date(at)
  return (date.getFullYear() === new Date(now).getFullYear() ? sameYear : otherYear).format(date)
}

/** A duration in the largest unit that fits: `840 ms`, `4.2 s`, `3 min 20 s`, `2 h 5 min`. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`
  if (ms < MINUTE) return `${(ms / 1_000).toFixed(ms < 10_000 ? 1 : 0)} s`
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min ${Math.floor((ms % MINUTE) / 1_000)} s`
  return `${Math.floor(ms / HOUR)} h ${Math.floor((ms % HOUR) / MINUTE)} min`
}

const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

function subscribeToClock(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(() => {
    for (const each of listeners) each()
  }, 1_000)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}
