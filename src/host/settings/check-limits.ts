import type { CribConfig } from '../../platform/config/schema/config-schema.js'
import type { ConfigFinding } from '../../platform/config/check-config.js'
import { checkLimit } from '../../scheduling/limits/check-limit.js'

/** Problems of limits whose single values are valid. */
export function limitFindings(limits: NonNullable<CribConfig['limits']>): ConfigFinding[] {
  return limits.flatMap((limit, index) => {
    try {
      checkLimit(`limits[${index}]`, limit)
      return []
    } catch (error) {
      // The message is a sentence; here it follows the name of a file.
      const message = (error as Error).message.replace(/\.$/, '')
      return [{ path: ['limits', index], message }]
    }
  })
}
