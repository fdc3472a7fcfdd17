import { isDrawn, secretsOfHeader, secretsOfParameter } from '../../credentials/secrets-of-proof.js'
import { isCommonText } from '../../redaction/find/is-common-text.js'
import { isSecretValue } from '../../redaction/find/judge-value.js'
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

function secretsOfAddress(address: string): string[] {
  if (!URL.canParse(address)) return []
  const { searchParams, pathname } = new URL(address)
  const parameters = [...searchParams].flatMap(([name, value]) => secretsOfParameter(name, value))
  // Some servers have the key of their user as a part of the path.
  const parts = pathname.split('/').filter((part) => isSecretValue(part, 'key', 'quoted'))
  return [...passwordsIn(address), ...parameters, ...parts]
}
