import { isCommonText } from '../../redaction/find/is-common-text.js'
import { isSecretValue } from '../../redaction/find/judge-value.js'
import { kindOfName } from '../../redaction/find/secret-names.js'
import {
  passwordsIn,
  secretsOfEnvironment,
  secretsOfVariable,
} from '../../redaction/secrets-of-environment.js'
import type { McpServerSettings } from './server-settings.js'

export interface TakenVariable {
  name: string
  value: string
}

const SCHEME = /^(?:bearer|basic|token|apikey|digest|negotiate|aws4-hmac-sha256)\s+/i

/**
 * What of one server's settings must not show: the values of headers, variables and parameters whose names say that they are
 * credentials, what came from variables of the environment, passwords in addresses, and what looks like a secret. A word
 * that ordinary texts hold is none, wherever it stands.
 */
export function secretsOfSettings(
  { env = {}, headers = {}, url, oauth }: McpServerSettings,
  taken: readonly TakenVariable[] = [],
): string[] {
  const secrets = new Set(secretsOfEnvironment(env))
  for (const { name, value } of taken)
    for (const secret of secretsOfVariable(name, value)) secrets.add(secret)
  // Who a client is says nothing of how it proves that.
  if (oauth?.clientId !== undefined) secrets.delete(oauth.clientId)
  for (const [name, value] of Object.entries(env)) if (isDrawn(name, value)) secrets.add(value)
  for (const [name, value] of Object.entries(headers))
    for (const secret of secretsOfHeader(name, value)) secrets.add(secret)
  for (const secret of url === undefined ? [] : secretsOfAddress(url)) secrets.add(secret)
  const { clientSecret } = oauth ?? {}
  if (clientSecret !== undefined && !isCommonText(clientSecret)) secrets.add(clientSecret)
  return [...secrets].sort((a, b) => b.length - a.length)
}

function secretsOfHeader(name: string, value: string): string[] {
  const bare = value.trim().replace(SCHEME, '')
  const hasScheme = bare !== value.trim()
  if (/^(?:set-)?cookie$/i.test(name)) return cookiesOf(value).filter((each) => !isCommonText(each))
  if (!hasScheme && !isCredentialName(name)) return isDrawn(name, value) ? [value] : []
  if (isCommonText(bare)) return []
  const login = /^basic\s/i.test(value.trim()) ? passwordOf(bare) : undefined
  return [...(hasScheme ? [value] : []), bare, ...(login === undefined ? [] : [login])]
}

/** `Authorization`, `X-Api-Key`, `X-Vault-Token`, `Private-Token`, `X-Auth`. */
function isCredentialName(name: string): boolean {
  const kind = kindOfName(name)
  return kind !== undefined && kind !== 'vendor'
}

function cookiesOf(value: string): string[] {
  return value.split(';').map((pair) => pair.slice(pair.indexOf('=') + 1).trim())
}

/** Of `user:password` in Base64. */
function passwordOf(encoded: string): string | undefined {
  const [, password] = /^[^:]*:(.+)$/s.exec(Buffer.from(encoded, 'base64').toString('utf8')) ?? []
  return password === undefined || isCommonText(password) ? undefined : password
}

/** Of a name that says nothing, only what a machine drew by lot. */
function isDrawn(name: string, value: string): boolean {
  return !isCommonText(value) && isSecretValue(value, kindOfName(name) ?? 'vendor', 'quoted')
}

function secretsOfAddress(address: string): string[] {
  if (!URL.canParse(address)) return []
  const { searchParams, pathname } = new URL(address)
  const parameters = [...searchParams].filter(([name, value]) =>
    isCredentialName(name) ? !isCommonText(value) : isDrawn(name, value),
  )
  // Some servers have the key of their user as a part of the path.
  const parts = pathname.split('/').filter((part) => isSecretValue(part, 'key', 'quoted'))
  return [...passwordsIn(address), ...parameters.map(([, value]) => value), ...parts]
}
