import { isCommonText } from '../redaction/find/is-common-text.js'
import { isSecretValue } from '../redaction/find/judge-value.js'
import { kindOfName } from '../redaction/find/secret-names.js'

const SCHEME = /^(?:bearer|basic|token|apikey|digest|negotiate|aws4-hmac-sha256)\s+/i

/** The secret parts of a header. A word that occurs in ordinary texts is no secret. */
export function secretsOfHeader(name: string, value: string): string[] {
  const bare = value.trim().replace(SCHEME, '')
  const hasScheme = bare !== value.trim()
  if (/^(?:set-)?cookie$/i.test(name)) return cookiesOf(value).filter((each) => !isCommonText(each))
  if (!hasScheme && !isCredentialName(name)) return isDrawn(name, value) ? [value] : []
  if (isCommonText(bare)) return []
  const login = /^basic\s/i.test(value.trim()) ? passwordOf(bare) : undefined
  return [...(hasScheme ? [value] : []), bare, ...(login === undefined ? [] : [login])]
}

/** The same, of a query parameter. */
export function secretsOfParameter(name: string, value: string): string[] {
  const isSecret = isCredentialName(name) ? !isCommonText(value) : isDrawn(name, value)
  return isSecret ? [value] : []
}

/** Of values that a person declared to be secret: all but words of ordinary texts. A long number counts too. */
export function declaredSecrets(values: readonly string[]): string[] {
  return values.filter((value) => /^\d{8,}$/.test(value) || !isCommonText(value))
}

/** Under any other name, only random text. */
export function isDrawn(name: string, value: string): boolean {
  return !isCommonText(value) && isSecretValue(value, kindOfName(name) ?? 'vendor', 'quoted')
}

/** `Authorization`, `X-Api-Key`, `X-Vault-Token`, `Private-Token`, `X-Auth`. */
function isCredentialName(name: string): boolean {
  const kind = kindOfName(name)
  return kind !== undefined && kind !== 'vendor'
}

function cookiesOf(value: string): string[] {
  return value.split(';').map((pair) => pair.slice(pair.indexOf('=') + 1).trim())
}

/** The password of `user:password` in Base64. */
function passwordOf(encoded: string): string | undefined {
  const [, password] = /^[^:]*:(.+)$/s.exec(Buffer.from(encoded, 'base64').toString('utf8')) ?? []
  return password === undefined || isCommonText(password) ? undefined : password
}
