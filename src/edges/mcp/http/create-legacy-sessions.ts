import { randomBytes } from 'node:crypto'
import { McpError, mcpErrorCodes } from '../../../sources/mcp/protocol/mcp-error.js'
import type { Gateway } from '../gateway.js'
import type { Identity } from '../../server/admission.js'
import { createChannels } from './streams/create-channels.js'
import type { EventStreams } from './streams/event-stream.js'
import type { McpHttpSettings } from './http-options.js'
import { createLegacySession, type LegacySession } from './legacy-session.js'

export interface LegacySessions {
  create(identity: Identity, now: number): Promise<LegacySession>
  /** Finds a session only for the caller that opened it. */
  find(id: string, identity: Identity, now: number): LegacySession | undefined
  end(session: LegacySession): void
  /** Ends sessions that have been idle too long. */
  sweep(now: number): void
  endAll(): Promise<void>
  readonly size: number
}

export interface SessionContext {
  readonly gateway: Gateway
  readonly streams: EventStreams
  readonly settings: McpHttpSettings
  report(problem: unknown): void
}

export function createLegacySessions({ gateway, streams, settings, report }: SessionContext): LegacySessions {
  const sessions = new Map<string, LegacySession>()
  const ending = new Set<Promise<void>>()
  /** Sessions end when the token of their caller is revoked. */
  const stopListening = new WeakMap<LegacySession, () => void>()
  /** The callers of sessions that are being opened. */
  const opening: string[] = []
  let isClosed = false

  const end = (session: LegacySession) => {
    if (!sessions.delete(session.id)) return
    stopListening.get(session)?.()
    const done = session
      .end()
      .catch(report)
      .finally(() => ending.delete(done))
    ending.add(done)
  }
  /** Ends a session where a limit is reached: one of the same caller first, otherwise an idle one of another. */
  const makeRoom = (callerKey: string) => {
    for (;;) {
      const all = [...sessions.values()]
      const own = all.filter((session) => session.callerKey === callerKey)
      const ownCount = own.length + opening.filter((key) => key === callerKey).length
      const isFull = all.length + opening.length >= settings.maxSessions
      if (!isFull && ownCount < settings.maxSessionsPerCaller) return
      const leaving = oldestOf(own.filter(isIdle)) ?? oldestOf(own) ?? oldestOf(all.filter(isIdle))
      if (leaving === undefined)
        throw new McpError(
          mcpErrorCodes.internal,
          'Too many sessions are open here. Close one, or try again later.',
        )
      end(leaving)
    }
  }
  return {
    async create(identity, now) {
      const id = randomBytes(24).toString('base64url')
      makeRoom(identity.key)
      opening.push(identity.key)
      try {
        const connection = await gateway.open(identity.caller, { era: 'legacy', sessionId: id })
        if (isClosed) {
          await connection.close()
          throw new McpError(mcpErrorCodes.internal, 'The server is closing.')
        }
        const channels = createChannels({
          streams,
          resumeGraceMs: settings.resumeGraceMs,
          isPrimed: () => session.revision >= '2025-11-25',
        })
        const session = createLegacySession({
          id,
          binding: identity.binding,
          callerKey: identity.key,
          connection,
          channels,
          now,
        })
        sessions.set(id, session)
        const { signal } = identity
        const revoke = (): void => end(session)
        signal?.addEventListener('abort', revoke, { once: true })
        stopListening.set(session, () => signal?.removeEventListener('abort', revoke))
        if (signal?.aborted) end(session)
        return session
      } finally {
        opening.splice(opening.indexOf(identity.key), 1)
      }
    },
    find(id, identity, now) {
      const session = sessions.get(id)
      if (session === undefined || session.binding !== identity.binding) return undefined
      session.usedAt = now
      return session
    },
    end,
    sweep(now) {
      for (const session of sessions.values()) {
        if (session.isBusy()) session.usedAt = now
        else if (now - session.usedAt >= settings.sessionIdleMs) end(session)
      }
    },
    async endAll() {
      isClosed = true
      for (const session of sessions.values()) end(session)
      await Promise.all(ending)
    },
    get size() {
      return sessions.size
    },
  }
}

function isIdle(session: LegacySession): boolean {
  return !session.isBusy()
}

function oldestOf(sessions: readonly LegacySession[]): LegacySession | undefined {
  let oldest: LegacySession | undefined
  for (const session of sessions) if (oldest === undefined || session.usedAt < oldest.usedAt) oldest = session
  return oldest
}
