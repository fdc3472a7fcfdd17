import { createHmac, randomBytes } from 'node:crypto'
import type { CribConfig } from '../../../platform/config/config-schema.js'
import type { Redactor } from '../../../redaction/redactor.js'
import { createRedactors } from '../../../crib/redaction/create-redactors.js'

/** For what is printed without a crib: takes out what the config calls secret. */
export function redactorFor({ redaction }: CribConfig, secrets: readonly string[] = []): Redactor {
  // Nothing of it is kept, so that nobody needs to know a mark again.
  const key = randomBytes(32)
  return createRedactors({ ...redaction, secrets }, (secret) =>
    createHmac('sha256', key).update(secret).digest('hex'),
  ).usual
}
