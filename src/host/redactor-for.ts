import { createHmac, randomBytes } from 'node:crypto'
import type { CribConfig } from '../platform/config/schema/config-schema.js'
import type { Redactor } from '../redaction/redactor.js'
import { createRedactors } from '../crib/redaction/create-redactors.js'

/** Redacts the secrets of the config from output that is printed without a crib. */
export function redactorFor({ redaction }: CribConfig, secrets: readonly string[] = []): Redactor {
  // Nothing is stored, so that marks need not be the same later.
  const key = randomBytes(32)
  return createRedactors({ ...redaction, secrets }, (secret) =>
    createHmac('sha256', key).update(secret).digest('hex'),
  ).usual
}
