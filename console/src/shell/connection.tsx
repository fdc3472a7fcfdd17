import type { ReactNode } from 'react'
import { useValue } from '../live/create-value.js'
import { retryNow, streamState } from '../live/event-stream.js'
import { useMedia } from '../ui/virtual-table.js'

/** Whether the pages are fresh. Between two attempts to connect, a person can ask for the next one. */
export function Connection(): ReactNode {
  const state = useValue(streamState)
  const words = { connecting: 'Connecting…', open: 'Connected', reconnecting: 'Reconnecting…' }[state]
  return (
    <div className={`connection ${state}`}>
      <p role="status">
        <span className="dot" aria-hidden="true" />
        {words}
      </p>
      {state === 'reconnecting' && (
        <button type="button" className="link-button" onClick={retryNow}>
          Try now
        </button>
      )}
    </div>
  )
}

/** A narrow screen has no room for the connection, except above the page while there is none. */
export function ConnectionBar(): ReactNode {
  const isNarrow = useMedia('(max-width: 719px)')
  const state = useValue(streamState)
  if (!isNarrow || state !== 'reconnecting') return null
  return (
    <div className="connection-bar">
      <Connection />
    </div>
  )
}
