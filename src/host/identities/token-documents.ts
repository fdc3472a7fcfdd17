import { isSameProof, signGrant } from '../../approvals/sign-approval.js'
import { isObject } from '../../platform/json/is-object.js'
import type { Role } from '../../platform/config/roles.js'
import type { SealKeys } from '../../platform/sealing/derive-keys.js'
import { SYSTEM_TENANT, type Store, type StoredDocument } from '../../storage/store.js'
import { walkDocuments } from '../../storage/walk-documents.js'

/** A token with a name, as the store has it: never the token itself. */
export interface NamedToken {
  readonly tokenId: string
  readonly name: string
  /** The actor of its calls in the records. */
  readonly actor: string
  readonly roles: readonly Role[]
  readonly surface?: string | undefined
  /** Absent: the tenant of the config. */
  readonly tenant?: string | undefined
  readonly rateLimitPerMinute?: number | undefined
  /** Milliseconds since the epoch, as all times here. */
  readonly createdAt: number
  readonly createdBy: string
  readonly expiresAt?: number | undefined
  readonly rotatedAt?: number | undefined
  readonly revokedAt?: number | undefined
  /** The actors that have seen the token when it was made: it cannot answer for their calls. */
  readonly above: readonly string[]
  /** The SHA-256 of the token, in hex. */
  readonly digest: string
}

/** What is given for a new token. */
export interface TokenDraft {
  readonly name: string
  readonly roles: readonly Role[]
  /** Default: the name. */
  readonly actor?: string | undefined
  readonly surface?: string | undefined
  readonly tenant?: string | undefined
  readonly rateLimitPerMinute?: number | undefined
  readonly expiresAt?: number | undefined
}

export const TOKEN_KIND = 'access_token'
/** Which token of a tenant has a name: two processes cannot give a name twice. */
export const TOKEN_NAME_KIND = 'access_token_name'
/** Apart from the token: a use is no change of it. */
export const TOKEN_USE_KIND = 'access_token_use'

/** What is written: only a holder of the user's key can add a token to a store. */
export function signToken(keys: SealKeys, token: NamedToken): object {
  return { token, proof: signGrant(keys, { kind: TOKEN_KIND, token }) }
}

/** Undefined for a document that no holder of the key has written, such as one that came with a folder. */
export function parseToken(keys: SealKeys, { id, value }: StoredDocument): NamedToken | undefined {
  if (!isObject(value) || !isObject(value['token'])) return undefined
  const token = value['token'] as unknown as NamedToken
  const expected = signGrant(keys, { kind: TOKEN_KIND, token })
  return token.tokenId === id && isSameProof(expected, value['proof']) ? token : undefined
}

/** All tokens of the store. */
export async function loadTokens(store: Pick<Store, 'listDocuments'>, keys: SealKeys): Promise<NamedToken[]> {
  const tokens: NamedToken[] = []
  for await (const document of walkDocuments(store, { tenant: SYSTEM_TENANT, kind: TOKEN_KIND })) {
    const token = parseToken(keys, document)
    if (token) tokens.push(token)
  }
  return tokens
}

/** When each token was last used, as far as it is stored. */
export async function loadTokenUses(store: Pick<Store, 'listDocuments'>): Promise<Map<string, number>> {
  const usedAt = new Map<string, number>()
  for await (const { id, value } of walkDocuments(store, { tenant: SYSTEM_TENANT, kind: TOKEN_USE_KIND }))
    if (isObject(value) && typeof value['usedAt'] === 'number') usedAt.set(id, value['usedAt'])
  return usedAt
}
