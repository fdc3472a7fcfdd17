import { MASK } from '../../../redaction/mask-fields.js'
import { secretsOfSettings } from '../secrets-of-settings.js'
import type { McpServerSettings } from '../server-settings.js'

export type Mask = (text: string) => string

/** Hides what the settings of a server hold in confidence, wherever the server repeats it. */
export function maskSecrets(settings: McpServerSettings): Mask {
  const secrets = secretsOfSettings(settings)
  if (secrets.length === 0) return (text) => text
  return (text) => secrets.reduce((masked, secret) => masked.replaceAll(secret, MASK), text)
}

/** The same error, with its sentence masked. */
export function maskError(error: unknown, mask: Mask): unknown {
  if (error instanceof Error) {
    const masked = mask(error.message)
    if (masked !== error.message) error.message = masked
  }
  return error
}
