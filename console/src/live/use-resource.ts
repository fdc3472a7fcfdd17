import { useEffect, useRef } from 'react'
import { toApiError, type ApiError } from '../api/http.js'
import { createValue, useValue, type Value } from './create-value.js'
import { ONLY_RESYNC, useEvents, type EventFilter } from './use-events.js'

export interface Resource<T> {
  /** Stays while it is loaded again, and when that fails. */
  readonly data: T | undefined
  readonly error: ApiError | undefined
  readonly isLoading: boolean
}

export interface ResourceOptions {
  /** The events after which the data is loaded again, at most twice a second. */
  readonly events?: EventFilter
  /** Another pause between an event and the load, in which further events count as one. */
  readonly pauseMs?: number
}

/** `show` is for a part of the data that has arrived. Parts are shown until the data was loaded once as a whole. */
type Load<T> = (signal: AbortSignal, show: (part: T) => void) => Promise<T>

interface Entry {
  readonly value: Value<Resource<unknown>>
  load: Load<unknown>
  /** Whether all of the data was loaded once. */
  isWhole: boolean
  users: number
  running: AbortController | undefined
  isStale: boolean
  timer: ReturnType<typeof setTimeout> | undefined
}

const LEAST_PAUSE_MS = 500
const MOST_ENTRIES = 100
const NOTHING: Resource<unknown> = { data: undefined, error: undefined, isLoading: true }
const entries = new Map<string, Entry>()

/**
 * Data of the API by a key. Components with the same key share it. A component that comes back shows what was known and loads
 * it again. Without a key nothing is loaded.
 */
export function useResource<T>(
  key: string | undefined,
  load: Load<T>,
  options: ResourceOptions = {},
): Resource<T> & { refresh: () => void } {
  const entry = entryOf(key ?? '')
  const latest = useRef(load)
  useEffect(() => {
    latest.current = load
  })
  useEffect(() => {
    if (key === undefined) return
    entry.load = (signal, show) => latest.current(signal, show)
    entry.users++
    refresh(entry)
    return () => {
      entry.users--
      if (entry.users === 0) entry.running?.abort()
    }
  }, [key, entry])
  const { events, pauseMs = LEAST_PAUSE_MS } = options
  useEvents(key === undefined ? undefined : (events ?? ONLY_RESYNC), () => {
    if (events !== undefined || entry.value.get().error !== undefined) refreshSoon(entry, pauseMs)
  })
  const current = useValue(entry.value) as Resource<T>
  return { ...current, refresh: () => refresh(entry) }
}

/** For a change that the person made: lists whose key starts so are loaded again at once. */
export function refreshResources(keyPrefix: string): void {
  for (const [key, entry] of entries) if (key.startsWith(keyPrefix) && entry.users > 0) refresh(entry)
}

export function forgetResources(): void {
  for (const entry of entries.values()) {
    entry.running?.abort()
    entry.isWhole = false
    entry.value.set(NOTHING)
  }
}

function entryOf(key: string): Entry {
  const known = entries.get(key)
  if (known !== undefined) return known
  const entry: Entry = {
    value: createValue<Resource<unknown>>(NOTHING),
    load: () => Promise.reject(new Error('not loaded')),
    isWhole: false,
    users: 0,
    running: undefined,
    isStale: false,
    timer: undefined,
  }
  for (const [each, { users }] of entries)
    if (entries.size >= MOST_ENTRIES && users === 0) entries.delete(each)
  entries.set(key, entry)
  return entry
}

function refreshSoon(entry: Entry, pauseMs: number): void {
  entry.timer ??= setTimeout(() => {
    entry.timer = undefined
    if (entry.users > 0) refresh(entry)
  }, pauseMs)
}

function refresh(entry: Entry): void {
  if (entry.running !== undefined) {
    entry.isStale = true
    return
  }
  void loadEntry(entry)
}

async function loadEntry(entry: Entry): Promise<void> {
  const running = new AbortController()
  entry.running = running
  entry.isStale = false
  if (!entry.value.get().isLoading) entry.value.set({ ...entry.value.get(), isLoading: true })
  const show = (part: unknown): void => {
    if (!entry.isWhole && !running.signal.aborted)
      entry.value.set({ data: part, error: undefined, isLoading: true })
  }
  try {
    const data = await entry.load(running.signal, show)
    if (!running.signal.aborted) {
      entry.isWhole = true
      entry.value.set({ data, error: undefined, isLoading: false })
    }
  } catch (error) {
    if (!running.signal.aborted)
      entry.value.set({ ...entry.value.get(), error: toApiError(error), isLoading: false })
  }
  entry.running = undefined
  // Something changed while the answer was under way.
  if (entry.users > 0 && (entry.isStale || running.signal.aborted)) void loadEntry(entry)
}
