import type { CribConfig } from '../../platform/config/config-schema.js'
import type { ConfigFinding } from '../../platform/config/check-config.js'
import { checkLimit } from '../../scheduling/limits/check-limit.js'

/** What is wrong with limits whose parts are each as they should be. */
export function limitFindings(limits: NonNullable<CribConfig['limits']>): ConfigFinding[] {
  return limits.flatMap((limit, index) => {
    try {
      checkLimit(`limits[${index}]`, limit)
      return []
    } catch (error) {
      // Our own sentences; here they follow the name of a file.
      const message = (error as Error).message.replace(/\.$/, '')
      return [{ path: ['limits', index], message }]
    }
  })
}
