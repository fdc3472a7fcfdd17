import type { Credential } from '../http-client/credential.js'
import type { LiveSecrets } from '../redaction/live-secrets.js'
import {
  credentialProblem,
  missingCredential,
  type CredentialOwner,
  type MissingCredential,
} from './credential-problem.js'
import { parseObject } from './secrets/open-secret.js'
import type { SecretSource } from './secrets/secret-source.js'
import { declaredSecrets } from './secrets-of-proof.js'
import { tokenCredential, type Token, type TokenPosition } from './token-credential.js'

export interface SecretCredentialOptions {
  readonly origin: string
  readonly source: SecretSource
  readonly position: TokenPosition | { readonly in: 'basic' }
  /** The secret is a JSON object with a token. */
  readonly isServiceAccount?: boolean | undefined
  readonly owner: CredentialOwner
  readonly live: LiveSecrets
  now?(): number
}

const BASIC: TokenPosition = { in: 'header', name: 'authorization', scheme: 'Basic' }

/** A secret of a source, read for each request. After a 401 a secret that has changed since is tried. */
export function secretCredential(
  options: SecretCredentialOptions,
): Credential & { missing(): MissingCredential | undefined } {
  const { origin, source, position, owner, live, now } = options
  const sentAs = position.in === 'basic' ? BASIC : position
  const credential = tokenCredential({
    origin,
    sentAs,
    live,
    knownSecrets: secretsKnownNow(options),
    ...(now && { now }),
    async load(refused) {
      const text = await source.load({ isRefused: refused !== undefined })
      const token = toToken(text, options)
      const problem = whyUnsendable(token.value, sentAs)
      if (problem !== undefined) throw credentialProblem(missingCredential(owner, problem))
      // Expired at once: the source itself knows how long a secret is good.
      return { ...token, expiresAtMs: 0 }
    },
  })
  return { ...credential, missing: () => source.missing() }
}

function toToken(text: string, { position, isServiceAccount, owner }: SecretCredentialOptions): Token {
  if (position.in === 'basic') return toBasic(text, owner)
  const value = isServiceAccount ? tokenOf(text, owner) : withoutScheme(text, position)
  return { value, secrets: declaredSecrets([value]) }
}

/** A person may have copied the whole header. */
function withoutScheme(text: string, { in: part, scheme }: TokenPosition): string {
  if (part !== 'header' || scheme === undefined) return text
  const isThere = text.slice(0, scheme.length + 1).toLowerCase() === `${scheme.toLowerCase()} `
  return isThere ? text.slice(scheme.length + 1).trim() : text
}

function toBasic(text: string, owner: CredentialOwner): Token {
  const login = loginOf(text)
  if (!login)
    throw credentialProblem(
      missingCredential(owner, 'its secret must be user:password, or JSON with "username" and "password"'),
    )
  const both = `${login.username}:${login.password}`
  return { value: Buffer.from(both).toString('base64'), secrets: declaredSecrets([both, login.password]) }
}

function loginOf(text: string): { username: string; password: string } | undefined {
  const { username, password } = parseObject(text) ?? {}
  if (typeof username === 'string' && typeof password === 'string') return { username, password }
  const [, user, rest] = /^([^:]*):(.*)$/s.exec(text) ?? []
  return user === undefined || rest === undefined ? undefined : { username: user, password: rest }
}

/** The token of a service account. */
function tokenOf(text: string, owner: CredentialOwner): string {
  const fields = parseObject(text)
  if (!fields) return text
  const token = fields['token'] ?? fields['access_token']
  if (typeof token === 'string') return token
  throw credentialProblem(
    missingCredential(owner, 'its secret must have the field "token" or "access_token"'),
  )
}

function secretsKnownNow(options: SecretCredentialOptions): readonly string[] {
  const text = options.source.peek?.()
  if (text === undefined) return []
  try {
    return toToken(text, options).secrets ?? []
  } catch {
    return declaredSecrets([text]) // unusable as it is, and no less secret
  }
}

/** The rest of a sentence, without the value. */
function whyUnsendable(value: string, { in: part }: TokenPosition): string | undefined {
  if (value === '') return 'its secret is empty'
  if (part === 'header' && !/^[\t\x20-\x7e\x80-\xff]+$/.test(value))
    return 'its secret has characters that no header can carry'
  if (part === 'cookie' && !/^[\x21\x23-\x3a\x3c-\x7e]+$/.test(value))
    return 'its secret has characters that no cookie can carry'
  return undefined
}
