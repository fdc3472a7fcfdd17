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
 * Secrets in the settings of one server: values of headers, variables and parameters with names of credentials, values
 * from environment variables, passwords in addresses, and values that look like secrets. A word that occurs in ordinary
 * text is never one.
 */
export function secretsOfSettings(
  { env = {}, headers = {}, url, oauth }: McpServerSettings,
  taken: readonly TakenVariable[] = [],
): string[] {
  const secrets = new Set(secretsOfEnvironment(env))
  for (const { name, value } of taken)
    for (const secret of secretsOfVariable(name, value)) secrets.add(secret)
  // A client id is public.
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
  // Some servers take the user's key as a part of the path.
  const parts = pathname.split('/').filter((part) => isSecretValue(part, 'key', 'quoted'))
  return [...passwordsIn(address), ...parameters, ...parts]
}
