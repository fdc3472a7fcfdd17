import type { ConfigFinding } from '../../platform/config/check-config.js'
import { checkRetries } from '../../catalog/check-retries.js'

/** Problems of retries whose single values are valid. */
export function retryFindings(retries: unknown): ConfigFinding[] {
  try {
    checkRetries('', retries)
    return []
  } catch (error) {
    // The message is a sentence; here it follows the name of a file.
    return [{ path: ['retries'], message: (error as Error).message.replace(/^: /, '').replace(/\.$/, '') }]
  }
}
