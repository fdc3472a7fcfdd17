import { createHash, timingSafeEqual } from 'node:crypto'
import type { Caller } from '../caller.js'
import type { Authenticate } from './authenticate.js'
import { bearerToken } from './bearer-token.js'
import { refuse } from './refuse.js'

/** A static token, and the caller that it identifies. */
export interface TokenEntry extends Omit<Caller, 'token'> {
  /** The token's SHA-256 digest in hex, so that the config does not contain the token. */
  readonly sha256?: string | undefined
  /** The token itself, for tokens that are only in memory. */
  readonly token?: string | undefined
}

export interface TokenTableOptions {
  readonly resourceMetadataUrl?: string | undefined
}

/** Authenticates callers by a table of static tokens. */
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
    // Compares all rows: the time must not show how close a guess was, nor to which row.
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
