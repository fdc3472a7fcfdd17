import { ConnectionLost } from './connection/connection.js'
import { ServerUnavailable } from './servers/server-unavailable.js'

/** An error of a later step of something whose first step was answered: that it has not run can no longer be said. */
export function asBegun(error: unknown): unknown {
  const isUnsent =
    error instanceof ServerUnavailable || (error instanceof ConnectionLost && !error.mayHaveRun)
  return isUnsent ? new ConnectionLost(error.message, { mayHaveRun: true }) : error
}
