import { isObject } from '../../platform/json/is-object.js'
import { SYSTEM_TENANT, type Store, type StoredDocument } from '../../storage/store.js'
import { walkDocuments } from '../../storage/walk-documents.js'
import {
  TOKEN_KIND,
  TOKEN_NAME_KIND,
  TOKEN_USE_KIND,
  type NamedToken,
} from '../identities/token-documents.js'

/** The documents about named tokens. */
export const TOKEN_KINDS: readonly string[] = [TOKEN_KIND, TOKEN_NAME_KIND, TOKEN_USE_KIND]

/** The names of the tokens of a store that are neither revoked nor expired, by their ids. */
export async function validTokens(store: Store): Promise<ReadonlyMap<string, string>> {
  const valid = new Map<string, string>()
  for await (const document of walkDocuments(store, { tenant: SYSTEM_TENANT, kind: TOKEN_KIND })) {
    const token = tokenOf(document)
    if (token && isValid(token, store.now())) valid.set(document.id, token.name)
  }
  return valid
}

/** The names that a backup gives to tokens, as the ids of their documents, by the ids of the tokens. */
export async function namesOfTokens(snapshot: Store): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>()
  for await (const document of walkDocuments(snapshot, { tenant: SYSTEM_TENANT, kind: TOKEN_NAME_KIND }))
    names.set(tokenIdOf(document) ?? '', document.id)
  return names
}

/**
 * Whether a document of a backup about a token fits the tokens of a store: a name that another token has here stays with
 * that one, and the name of a token that was revoked here stays free.
 */
export async function fitsTokens(
  store: Store,
  document: StoredDocument,
  names: ReadonlyMap<string, string>,
): Promise<boolean> {
  const read = (kind: string, id: string) => store.getDocument(SYSTEM_TENANT, kind, id)
  if (document.kind === TOKEN_KIND) {
    const token = tokenOf(document)
    const name = names.get(document.id)
    if (!token || name === undefined || !isValid(token, store.now())) return true
    const named = await read(TOKEN_NAME_KIND, name)
    return named === undefined || tokenIdOf(named) === document.id
  }
  if (document.kind !== TOKEN_NAME_KIND) return true
  // Tokens are restored before their names.
  const named = await read(TOKEN_KIND, tokenIdOf(document) ?? '')
  const token = named && tokenOf(named)
  return token !== undefined && token.revokedAt === undefined
}

function isValid({ revokedAt, expiresAt = Number.POSITIVE_INFINITY }: NamedToken, now: number): boolean {
  return revokedAt === undefined && expiresAt > now
}

function tokenOf({ value }: StoredDocument): NamedToken | undefined {
  return isObject(value) && isObject(value['token']) ? (value['token'] as unknown as NamedToken) : undefined
}

function tokenIdOf({ value }: StoredDocument): string | undefined {
  return isObject(value) && typeof value['tokenId'] === 'string' ? value['tokenId'] : undefined
}
