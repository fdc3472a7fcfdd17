import type { ServerHealth } from '../mcp-server.js'
import { describeOutput } from './describe-output.js'
import type { Mask } from './mask-secrets.js'
import type { ServerState } from './server-state.js'

/** The state as it is reported: never `ready` without a connection, because the connection's events set the state. */
export function toHealth(
  state: ServerState,
  {
    mask,
    written,
    ...about
  }: Pick<ServerHealth, 'tools' | 'restarts' | 'pid'> & {
    readonly mask: Mask
    /** What the program wrote since its start. */
    written(): readonly string[]
  },
): ServerHealth {
  const said = (isOver: boolean): { said?: string } => {
    const words = describeOutput(written(), isOver)
    return words === undefined ? {} : { said: mask(words) }
  }
  switch (state.is) {
    case 'disabled':
    case 'idle':
    case 'ready':
      return { ...about, state: state.is }
    case 'connecting':
      return { ...about, state: 'connecting', since: state.since, ...said(false) }
    case 'degraded':
      return { ...about, state: 'degraded', reason: mask(state.reason) }
    case 'failed':
      return {
        ...about,
        state: 'failed',
        reason: mask(state.reason),
        nextRetryAt: state.nextRetryAt,
        ...said(true),
      }
  }
}
