import { useEffect, useRef } from 'react'
import type { ToolEvent } from '../api/types.js'
import { onStream } from './event-stream.js'

export interface EventFilter {
  /** Beginnings of event types, such as `tool.invocation.`; absent: all. */
  readonly types?: readonly string[]
  readonly invocation?: string | undefined
}

/** For what no event changes, and what may have failed while there was no connection. */
export const ONLY_RESYNC: EventFilter = { types: [] }

/** Calls the handler for each matching event, and without an event when events may have been missed. */
export function useEvents(filter: EventFilter | undefined, handler: (event?: ToolEvent) => void): void {
  const latest = useRef(handler)
  useEffect(() => {
    latest.current = handler
  })
  const key = filter === undefined ? '' : JSON.stringify(filter)
  useEffect(() => {
    if (key === '') return
    const wanted = JSON.parse(key) as EventFilter
    return onStream((message) => {
      if (message.kind === 'resync') latest.current()
      else if (matches(wanted, message.event)) latest.current(message.event)
    })
  }, [key])
}

function matches({ types, invocation }: EventFilter, event: ToolEvent): boolean {
  if (invocation !== undefined && event.invocation_id !== invocation) return false
  return types === undefined || types.some((type) => event.event_type.startsWith(type))
}
