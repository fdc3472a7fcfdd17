import { createHash, timingSafeEqual } from 'node:crypto'
import type { Caller } from '../caller.js'
import type { Authenticate } from './authenticate.js'
import { bearerToken } from './bearer-token.js'
import { refuse } from './refuse.js'

/** A token that somebody was given by hand, and what it opens. */
export interface TokenEntry extends Omit<Caller, 'token'> {
  /** The token's SHA-256 digest in hex: a config that holds it gives nothing away. */
  readonly sha256?: string | undefined
  /** Or the token itself, where it lives only in memory. */
  readonly token?: string | undefined
}

export interface TokenTableOptions {
  readonly resourceMetadataUrl?: string | undefined
}

/** Knows callers by tokens that are given out by hand. */
export function tokenTable(
  entries: readonly TokenEntry[],
  { resourceMetadataUrl }: TokenTableOptions = {},
): Authenticate {
  const rows = entries.map((entry) => ({ digest: digestOf(entry), caller: callerOf(entry) }))
  const digests = new Set(rows.map(({ digest }) => digest.toString('hex')))
  if (digests.size < rows.length) {
    throw new Error('serve.auth.tokens: two entries have the same token; each needs one of its own.')
  }
  return async ({ headers }) => {
    const token = bearerToken(headers)
    if (token === 'none') return refuse('missing', { resourceMetadataUrl })
    if (token === 'malformed') return refuse('malformed', { resourceMetadataUrl })
    const presented = sha256(token)
    let found: Caller | undefined
    // All rows, whichever fits: how long it takes must not say how near a guess was, nor which row it was near to.
    for (const { digest, caller } of rows) if (timingSafeEqual(digest, presented)) found = caller
    return found ?? refuse('unknown', { resourceMetadataUrl })
  }
}

function digestOf({ sha256: hex, token, actor }: TokenEntry): Buffer {
  if (token !== undefined) {
    if (isSendable(token)) return sha256(token)
    throw new Error(`serve.auth.tokens: the token of "${actor}" must be letters, digits and -._~+/ only.`)
  }
  const digits = /^(?:sha256:)?([0-9a-f]{64})$/i.exec(hex ?? '')?.[1]
  if (digits === undefined) {
    throw new Error(
      `serve.auth.tokens: "sha256" of "${actor}" must be the 64 hex digits of a SHA-256 digest; "printf %s <token> | sha256sum" makes one.`,
    )
  }
  return Buffer.from(digits, 'hex')
}

function isSendable(token: string): boolean {
  return bearerToken({ authorization: `Bearer ${token}` }) === token
}

function callerOf(entry: TokenEntry): Caller {
  const { actor, tenant, surface, scopes, rateLimitPerMinute } = entry
  return { actor, tenant, surface, scopes, rateLimitPerMinute, token: digestOf(entry).toString('hex') }
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
