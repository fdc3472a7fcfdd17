import { ConnectionLost } from './connection/connection.js'
import { ServerUnavailable } from './servers/server-unavailable.js'

/** Marks an error of a later step: the first step was answered, so the request counts as possibly run. */
export function asBegun(error: unknown): unknown {
  const isUnsent =
    error instanceof ServerUnavailable || (error instanceof ConnectionLost && !error.mayHaveRun)
  return isUnsent ? new ConnectionLost(error.message, { mayHaveRun: true }) : error
}
