import { useSyncExternalStore, type ReactNode } from 'react'
import { createValue, useValue } from '../live/create-value.js'

const STORED_AS = 'toolcrib.times'
const areExact = createValue(localStorage.getItem(STORED_AS) === 'exact')

/** Whether a person wants exact times instead of `3 min ago`. */
export function useExactTimes(): boolean {
  return useValue(areExact)
}

/** Titles with exact times are for a mouse only: this button shows them to everybody. */
export function ExactTimes(): ReactNode {
  const isOn = useValue(areExact)
  const change = (): void => {
    areExact.set(!isOn)
    localStorage.setItem(STORED_AS, isOn ? 'relative' : 'exact')
  }
  return (
    <button type="button" className="button" aria-pressed={isOn} onClick={change}>
      Exact times
    </button>
  )
}

/** The clock time of a step, to the millisecond. */
export function clockTime(at: number): string {
  return clock.format(at)
}

const clock = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
  hourCycle: 'h23',
})

/** A moment as people say it, or exact where they ask for it. It stays right while it is shown. */
export function Time({ at }: { readonly at: string }): ReactNode {
  const now = useNow()
  const isExact = useExactTimes()
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return at
  return (
    <time dateTime={at} title={exact.format(date)}>
      {isExact ? exactShort(date, now) : relativeTime(date.getTime(), now)}
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

const exactSameYear = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
})
const exactOtherYear = new Intl.DateTimeFormat(undefined, {
  dateStyle: 'medium',
  timeStyle: 'medium',
  hourCycle: 'h23',
})

function exactShort(date: Date, now: number): string {
  return (date.getFullYear() === new Date(now).getFullYear() ? exactSameYear : exactOtherYear).format(date)
}

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
  if (ms < HOUR) return twoUnits(Math.floor(ms / 1_000), 60, ['min', 's'])
  return twoUnits(Math.floor(ms / MINUTE), 60, ['h', 'min'])
}

/** `3 min 20 s`, and `3 min` without a rest. */
function twoUnits(amount: number, size: number, [large, small]: readonly [string, string]): string {
  const rest = amount % size
  return `${Math.floor(amount / size)} ${large}${rest === 0 ? '' : ` ${rest} ${small}`}`
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
