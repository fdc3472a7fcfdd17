import { useCallback, useEffect, useRef, useState } from 'react'
import { toApiError, type ApiError } from '../api/http.js'
import type { List } from '../api/types.js'
import { useKeptView } from './kept-view.js'
import { ONLY_RESYNC, useEvents, type EventFilter } from './use-events.js'

export interface Pages<T> {
  readonly items: readonly T[]
  readonly hasMore: boolean
  readonly isLoading: boolean
  readonly error: ApiError | undefined
  /** Loads the next page, unless one is under way. */
  readonly loadMore: () => void
  readonly refresh: () => void
}

interface PagesOptions<T> {
  readonly loadPage: (cursor: string | undefined, signal: AbortSignal) => Promise<List<T>>
  readonly idOf: (item: T) => string
  /** The events after which the first page is loaded again and merged, at most once a second. */
  readonly events?: EventFilter
}

interface State<T> {
  readonly items: readonly T[]
  readonly next: string | undefined
  readonly isLoading: boolean
  readonly error: ApiError | undefined
}

const LEAST_PAUSE_MS = 1_000
const EMPTY = { items: [], next: undefined, isLoading: true, error: undefined }

/** A list that grows by cursor pages. Another key starts it again; Back shows the pages that were loaded. */
export function usePages<T>(key: string, options: PagesOptions<T>): Pages<T> {
  const views = useKeptView()
  const name = `pages ${key}`
  const [state, setState] = useState<State<T>>(() => views.get<State<T>>(name) ?? EMPTY)
  const latest = useRef(options)
  const current = useRef(state)
  const running = useRef<AbortController>(undefined)
  useEffect(() => {
    latest.current = options
    current.current = state
  })

  const load = useCallback((which: 'first' | 'more' | 'newest') => {
    if (which === 'first') running.current?.abort()
    else if (running.current !== undefined) return
    const { loadPage, idOf } = latest.current
    const control = new AbortController()
    running.current = control
    if (which === 'first') setState(EMPTY)
    else if (which === 'more') setState((before) => ({ ...before, isLoading: true }))
    loadPage(which === 'more' ? current.current.next : undefined, control.signal)
      .then((page) => {
        if (!control.signal.aborted) setState((before) => merge(which, { before, page, idOf }))
      })
      .catch((error: unknown) => {
        if (control.signal.aborted) return
        setState((before) => ({ ...before, isLoading: false, error: toApiError(error) }))
      })
      .finally(() => {
        if (running.current === control) running.current = undefined
      })
  }, [])

  useEffect(() => {
    load(views.get(name) === current.current ? 'newest' : 'first')
    return () => {
      if (current.current.items.length > 0) views.set(name, { ...current.current, isLoading: false })
      running.current?.abort()
      running.current = undefined
    }
  }, [key, load])

  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEvents(options.events ?? ONLY_RESYNC, () => {
    if (options.events === undefined && current.current.error === undefined) return
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      load('newest')
    }, LEAST_PAUSE_MS)
  })
  useEffect(
    () => () => {
      clearTimeout(timer.current)
      timer.current = undefined
    },
    [],
  )

  return {
    items: state.items,
    hasMore: state.next !== undefined,
    isLoading: state.isLoading,
    error: state.error,
    loadMore: () => state.next !== undefined && load('more'),
    refresh: () => load('newest'),
  }
}

interface Merge<T> {
  readonly before: State<T>
  readonly page: List<T>
  readonly idOf: (item: T) => string
}

function merge<T>(which: 'first' | 'more' | 'newest', { before, page, idOf }: Merge<T>): State<T> {
  const fresh: State<T> = { items: page.items, next: page.next_cursor, isLoading: false, error: undefined }
  if (which === 'first' || before.items.length === 0) return fresh
  const ids = new Set(page.items.map(idOf))
  const others = before.items.filter((item) => !ids.has(idOf(item)))
  if (which === 'more') return { ...fresh, items: [...others, ...page.items] }
  // More new items than a page holds: what lies between is not known, so the list starts again.
  if (others.length === before.items.length && page.next_cursor !== undefined) return fresh
  return { ...before, items: [...page.items, ...others], isLoading: false, error: undefined }
}
