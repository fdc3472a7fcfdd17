import { setMaxListeners } from 'node:events'
import type { Caller } from './caller.js'

/** Ends what callers have open when their token ends. */
export interface Revocations {
  /** Aborted when the caller's token is revoked or expires; undefined for a token that lives as long as the server. */
  signalOf(caller: Caller): AbortSignal | undefined
  /** The tokens with these digests have ended. */
  end(tokens: readonly string[]): void
  sweep(now: number): void
}

export function createRevocations(): Revocations {
  const open = new Map<string, { readonly controller: AbortController; readonly expiresAt: number }>()

  function end(token: string): void {
    open.get(token)?.controller.abort()
    open.delete(token)
  }

  return {
    signalOf({ token, tokenId, expiresAt = Number.POSITIVE_INFINITY }) {
      if (token === undefined || tokenId === undefined) return undefined
      let found = open.get(token)
      if (!found) {
        open.set(token, (found = { controller: new AbortController(), expiresAt }))
        // Each open session and stream of the caller listens.
        setMaxListeners(0, found.controller.signal)
      }
      return found.controller.signal
    },
    end: (tokens) => tokens.forEach(end),
    sweep(now) {
      for (const [token, { expiresAt }] of open) if (expiresAt <= now) end(token)
    },
  }
}
