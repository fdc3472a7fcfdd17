import { createHash, timingSafeEqual } from 'node:crypto'
import type { Role } from '../../../platform/config/roles.js'
import type { Caller } from '../caller.js'
import type { Authenticate } from './authenticate.js'
import { bearerToken } from './bearer-token.js'
import { refuse } from './refuse.js'

/** A static token, and the caller that it identifies. */
export interface TokenEntry extends Omit<Caller, 'token' | 'roles'> {
  /** Default: `caller` alone. */
  readonly roles?: readonly Role[] | undefined
  /** The token's SHA-256 digest in hex, so that the config does not contain the token. */
  readonly sha256?: string | undefined
  /** The token itself, for tokens that are only in memory. */
  readonly token?: string | undefined
}

export interface TokenTableOptions {
  readonly resourceMetadataUrl?: string | undefined
  /** Looks up further tokens by their SHA-256 digest in hex, such as those of the store. */
  readonly find?: FindToken | undefined
}

/** The caller of a token by its SHA-256 digest in hex; `ended` for a token that was valid once. */
export type FindToken = (digest: string) => Caller | 'ended' | undefined

/** Authenticates callers by a table of static tokens. */
export function tokenTable(entries: readonly TokenEntry[], options?: TokenTableOptions): Authenticate {
  const callers = tokenCallers(entries)
  return followedTable(() => callers, options)
}

/** The same for callers that change: each request is compared with those of its moment. */
export function followedTable(
  callers: () => ReadonlyMap<string, Caller>,
  { resourceMetadataUrl, find }: TokenTableOptions = {},
): Authenticate {
  let shown: ReadonlyMap<string, Caller> | undefined
  let rows: readonly { digest: Buffer; caller: Caller }[] = []
  return async ({ headers }) => {
    const token = bearerToken(headers)
    if (token === 'none') return refuse('missing', { resourceMetadataUrl })
    if (token === 'malformed') return refuse('malformed', { resourceMetadataUrl })
    const presented = sha256(token)
    if (shown !== callers()) {
      shown = callers()
      rows = [...shown].map(([digest, caller]) => ({ digest: Buffer.from(digest, 'hex'), caller }))
    }
    let found: Caller | undefined
    // Compares all rows: the time must not show how close a guess was, nor to which row.
    for (const { digest, caller } of rows) if (timingSafeEqual(digest, presented)) found = caller
    if (found) return found
    const other = find?.(presented.toString('hex'))
    if (other === 'ended') return refuse('expired', { resourceMetadataUrl })
    return other ?? refuse('unknown', { resourceMetadataUrl })
  }
}

/** The callers of a table by the SHA-256 digests of their tokens, in hex. */
export function tokenCallers(entries: readonly TokenEntry[]): ReadonlyMap<string, Caller> {
  const callers = new Map(
    entries.map((entry) => {
      const digest = digestOf(entry).toString('hex')
      return [digest, callerOf(entry, digest)]
    }),
  )
  if (callers.size < entries.length)
    throw new Error('serve.auth.tokens: two entries have the same token; each needs one of its own.')
  return callers
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

function callerOf(
  { sha256: _sha256, token: _token, roles = ['caller'], ...rest }: TokenEntry,
  digest: string,
): Caller {
  return { ...rest, roles, token: digest }
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
