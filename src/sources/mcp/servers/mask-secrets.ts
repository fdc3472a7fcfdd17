import { MASK } from '../../../redaction/mask-fields.js'
import { secretsOfSettings } from '../secrets-of-settings.js'
import type { McpServerSettings } from '../server-settings.js'

export type Mask = (text: string) => string

/** Masks secrets of a server's settings wherever the server repeats them. */
export function maskSecrets(settings: McpServerSettings): Mask {
  const secrets = secretsOfSettings(settings)
  if (secrets.length === 0) return (text) => text
  return (text) => secrets.reduce((masked, secret) => masked.replaceAll(secret, MASK), text)
}

/** The same error, with its message masked. */
export function maskError(error: unknown, mask: Mask): unknown {
  if (error instanceof Error) {
    const masked = mask(error.message)
    if (masked !== error.message) error.message = masked
  }
  return error
}
